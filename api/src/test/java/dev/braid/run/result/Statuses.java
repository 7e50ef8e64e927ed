package dev.braid.run.result;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Statuses of runs for tests; values that a test does not set are those of a run that has just
 * begun.
 */
public final class Statuses {

  private int epoch = 1;
  private int workers = 4;
  private long round;
  private long samples;
  private double seconds;
  private double epochsDone;
  private OptionalDouble secondsLeft = OptionalDouble.empty();
  private double loss;
  private double samplesPerSecond;
  private long bytes;
  private List<Evaluation> evaluations = List.of();
  private List<Integer> leftOut = List.of();
  private List<Status.Behind> behind = List.of();
  private List<String> notes = List.of();
  private List<String> troubles = List.of();
  private EvaluatedSet evaluated = EvaluatedSet.TEST;
  private Optional<Outcome> outcome = Optional.empty();

  private Statuses() {}

  /** Returns a run of ten epochs and four workers that has completed no round. */
  public static Statuses begun() {
    return new Statuses();
  }

  /** Returns the same run after a number of rounds of 100 samples each. */
  public static Statuses at(long round) {
    return begun().round(round, 100 * round).speed(0.5, 12_345).bytes(2_000_000).seconds(7.5);
  }

  /** Returns the status of a run that has just begun and has these notes. */
  public static Status noting(String... notes) {
    return begun().notes(List.of(notes)).status();
  }

  public Statuses epoch(int underWay) {
    epoch = underWay;
    return this;
  }

  public Statuses workers(int count) {
    workers = count;
    return this;
  }

  public Statuses round(long complete, long samplesUsed) {
    round = complete;
    samples = samplesUsed;
    return this;
  }

  public Statuses seconds(double sinceBegin) {
    seconds = sinceBegin;
    return this;
  }

  public Statuses epochsDone(double done) {
    epochsDone = done;
    return this;
  }

  public Statuses secondsLeft(double left) {
    secondsLeft = OptionalDouble.of(left);
    return this;
  }

  public Statuses speed(double meanLoss, double samplesASecond) {
    loss = meanLoss;
    samplesPerSecond = samplesASecond;
    return this;
  }

  public Statuses bytes(long sent) {
    bytes = sent;
    return this;
  }

  public Statuses evaluations(List<Evaluation> latest) {
    evaluations = latest;
    return this;
  }

  public Statuses leftOut(List<Integer> cutOff) {
    leftOut = cutOff;
    return this;
  }

  public Statuses behind(List<Status.Behind> atTheEnd) {
    behind = atTheEnd;
    return this;
  }

  public Statuses notes(List<String> lines) {
    notes = lines;
    return this;
  }

  public Statuses troubles(List<String> sentences) {
    troubles = sentences;
    return this;
  }

  public Statuses outcome(Optional<Outcome> end) {
    outcome = end;
    return this;
  }

  public Statuses evaluated(EvaluatedSet set) {
    evaluated = set;
    return this;
  }

  /** Returns the status with all values that were set. */
  public Status status() {
    return new Status(
        epoch,
        10,
        workers,
        4,
        round,
        samples,
        seconds,
        epochsDone,
        secondsLeft,
        loss,
        samplesPerSecond,
        bytes,
        evaluations,
        leftOut,
        behind,
        notes,
        troubles,
        0,
        evaluated,
        outcome);
  }
}
