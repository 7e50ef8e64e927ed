package dev.braid.run.result;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Progress of a run, as its clients see it. It travels as JSON in one accumulator, so that all of
 * it is from the same moment.
 *
 * @param epoch current epoch, from 1; 0 before the first report
 * @param epochs maximum number of epochs
 * @param workers number of workers that train; 0 before all of them have begun, the first time or
 *     after a restart
 * @param workersAsked number of workers that were asked for
 * @param round rounds complete
 * @param samples samples trained on since the run began
 * @param seconds time since the run began, without the time between two jobs of it
 * @param epochsDone epochs that are complete, with the completed share of the next one
 * @param secondsLeft time until the last epoch is complete, at the recent rate; empty before it is
 *     known and while the run makes no progress
 * @param loss recent mean loss of a training sample
 * @param samplesPerSecond recent rate; 0 before it is known and while the run makes no progress
 * @param bytes bytes sent over all links since the run began
 * @param evaluations the latest evaluations, oldest first
 * @param leftOut excluded workers
 * @param behind workers that have rounds left while the others have completed all epochs
 * @param notes notes on the run for the user, a line each
 * @param troubles which results cannot be written at present and why, a sentence each
 * @param version number of the newest version that this job has published; 0 if none
 * @param evaluated samples that evaluations are of
 * @param outcome how it ended, once it has
 */
public record Status(
    int epoch,
    int epochs,
    int workers,
    int workersAsked,
    long round,
    long samples,
    double seconds,
    double epochsDone,
    OptionalDouble secondsLeft,
    double loss,
    double samplesPerSecond,
    long bytes,
    List<Evaluation> evaluations,
    List<Integer> leftOut,
    List<Behind> behind,
    List<String> notes,
    List<String> troubles,
    int version,
    EvaluatedSet evaluated,
    Optional<Outcome> outcome) {

  /**
   * A worker that others wait for at the end.
   *
   * @param round rounds that it has completed
   */
  public record Behind(int worker, long round) {}

  /** Number of epochs of a run without end. */
  public static final int ENDLESS = Integer.MAX_VALUE;

  /**
   * Returns the unit that figures belong to: {@code epoch} of a data set, {@code window} of a
   * stream.
   */
  public String unit() {
    return evaluated.unit();
  }

  /** The accumulator's name. */
  public static final String ACCUMULATOR = "braid.status";

  /** Maximum number of evaluations in a status: those that a poll may have missed. */
  public static final int EVALUATIONS = 64;

  /** Returns the latest evaluation. */
  public Optional<Evaluation> lastEvaluation() {
    return evaluations.isEmpty()
        ? Optional.empty()
        : Optional.of(evaluations.get(evaluations.size() - 1));
  }

  /** Returns the workers that are excluded and were not before. */
  public List<Integer> leftOutSince(List<Integer> before) {
    return leftOut.stream().filter(worker -> !before.contains(worker)).toList();
  }

  /** Returns the workers that were excluded before and are not any more. */
  public List<Integer> backSince(List<Integer> before) {
    return before.stream().filter(worker -> !leftOut.contains(worker)).toList();
  }

  public String toJson() {
    return Json.write(this);
  }

  /**
   * Parses JSON that {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if it is not a status
   */
  public static Status parse(String json) {
    return Json.read(json, Status.class);
  }
}
