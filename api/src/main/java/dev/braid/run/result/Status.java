package dev.braid.run.result;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a run is getting on, as whoever submitted it sees it. It travels as JSON in an accumulator,
 * so that all of it is from one moment.
 *
 * @param epoch the epoch under way, from 1; 0 before the first report
 * @param epochs epochs at most
 * @param workers how many train; 0 before all of them have begun, for the first time or after a
 *     restart
 * @param workersAsked how many were asked for
 * @param round rounds complete
 * @param samples samples trained on since the run began
 * @param seconds since the run began, without the time between two jobs of it
 * @param epochsDone epochs that are over, and what share of the next
 * @param secondsLeft until the last epoch is over, at the rate of late; none before one can tell,
 *     and while the run stands still
 * @param loss recent mean loss of a training sample
 * @param samplesPerSecond recently; 0 before it is known, and while the run stands still
 * @param bytes sent over all links since the run began
 * @param evaluations the latest ones, oldest first
 * @param leftOut workers that are cut off, and that others go on without
 * @param behind workers that have rounds to do yet, while all epochs are over for the others
 * @param notes what the user should know of the run, a line each
 * @param troubles which results cannot be written at present, and why, a sentence each
 * @param version number of the newest version that this job has published; 0 for none
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
   * @param round how many rounds it has done
   */
  public record Behind(int worker, long round) {}

  /** Number of epochs of a run without end. */
  public static final int ENDLESS = Integer.MAX_VALUE;

  /** Returns the name of what figures are of: epochs of a data set, or windows of a stream. */
  public String unit() {
    return evaluated.unit();
  }

  /** The accumulator's name. */
  public static final String ACCUMULATOR = "braid.status";

  /** Evaluations that are carried at most: those that a poll may have missed. */
  public static final int EVALUATIONS = 64;

  /** The latest evaluation. */
  public Optional<Evaluation> lastEvaluation() {
    return evaluations.isEmpty()
        ? Optional.empty()
        : Optional.of(evaluations.get(evaluations.size() - 1));
  }

  /** Who is left out, and was not before. */
  public List<Integer> leftOutSince(List<Integer> before) {
    return leftOut.stream().filter(worker -> !before.contains(worker)).toList();
  }

  /** Who was left out before, and is not any more. */
  public List<Integer> backSince(List<Integer> before) {
    return before.stream().filter(worker -> !leftOut.contains(worker)).toList();
  }

  public String toJson() {
    return Json.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Status parse(String json) {
    return Json.read(json, Status.class);
  }
}
