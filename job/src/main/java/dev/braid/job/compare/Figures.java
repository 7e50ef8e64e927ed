package dev.braid.job.compare;

import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.TestScore;
import dev.braid.run.result.WorkerMeans;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A run in numbers. Means are over all gradients; an epoch's mean counts by its samples.
 *
 * @param secondsToTarget from the start of the run to the end of the evaluation of the whole test
 *     set that first reached the target; none if it was not reached, or there is no target
 * @param scores how good the model was at the end of each epoch, and the saved model if that was
 *     evaluated otherwise: what plots show
 * @param best the best of these
 * @param bestOfPart whether that is of a part of the test set, as workers were cut off
 * @param accuracyVariancePp2 of the replicas' final accuracies, in percentage points squared; none
 *     where they are identical, or the run has not come to its end
 * @param epochs epochs complete
 * @param seconds from the start of the run to the last evaluation
 * @param samplesPerSecond while training; evaluations do not count
 * @param bytesPerWorker sent, until the last evaluation
 * @param staleness gradients of another worker that a gradient's weights lacked
 * @param worstStaleness of all gradients
 * @param computing share of rounds' time, from 0 to 1
 * @param waiting the same
 * @param exchanging the same
 * @param partitions Ako's p; 0 where there is none
 * @param sentOfPlanned bytes sent over those that Ako's cost model expected with its p, after the
 *     first epoch, in which γ is found out; none where there is no such epoch
 * @param compression what became of gradients' values; none where they are not compressed
 */
record Figures(
    OptionalDouble secondsToTarget,
    List<Scored> scores,
    TestScore best,
    boolean bestOfPart,
    OptionalDouble accuracyVariancePp2,
    int epochs,
    double seconds,
    double samplesPerSecond,
    double bytesPerWorker,
    double staleness,
    long worstStaleness,
    double computing,
    double waiting,
    double exchanging,
    double partitions,
    OptionalDouble sentOfPlanned,
    Optional<Compression> compression) {

  /**
   * How good the model was at one time.
   *
   * @param epoch how many epochs were complete
   * @param seconds since the run began
   * @param ofPart whether a part of the test set was evaluated, as workers were cut off
   */
  record Scored(int epoch, double seconds, TestScore score, boolean ofPart) {}

  /**
   * What compression has made of gradients.
   *
   * @param density share of their elements that was sent
   * @param threshold that these were beyond, of the mean gradient of a batch; 0 where there is none
   * @param residualNorm Euclidean length of what a worker had not sent yet, of the mean of a batch
   * @param plainBytes what the values that a worker sent would have taken as float32
   * @param sentBytes what they took
   */
  record Compression(
      double density, double threshold, double residualNorm, double plainBytes, double sentBytes) {

    /** Bytes before over bytes after. */
    double ratio() {
      return Figures.ratio(plainBytes, sentBytes);
    }
  }

  /**
   * The figures of a run that has at least one evaluation.
   *
   * @throws java.util.NoSuchElementException if it has none
   */
  static Figures of(RunHistory history) {
    List<Evaluation> epochs = history.evaluations();
    Evaluation last = epochs.get(epochs.size() - 1);
    List<Scored> scores = scores(history);
    Scored best =
        scores.stream()
            .reduce((one, next) -> next.score.quality() > one.score.quality() ? next : one)
            .orElseThrow();
    Optional<Target> target = target(history);
    double samples = sum(epochs, Evaluation::samples);
    double computing = sum(epochs, epoch -> epoch.worker().computeSeconds());
    double waiting = sum(epochs, epoch -> epoch.worker().waitSeconds());
    double exchanging = sum(epochs, epoch -> epoch.worker().exchangeSeconds());
    double all = computing + waiting + exchanging;
    return new Figures(
        scores.stream()
            .filter(scored -> target.isPresent() && !scored.ofPart)
            .filter(scored -> target.get().isReachedBy(scored.score))
            .mapToDouble(Scored::seconds)
            .min(),
        scores,
        best.score,
        best.ofPart,
        accuracyVariancePp2(history),
        epochs.size(),
        epochs.stream().mapToDouble(Evaluation::seconds).max().orElseThrow(),
        ratio(samples, sum(epochs, Evaluation::trainSeconds)),
        (double) last.bytes() / history.head().workers(),
        mean(epochs, WorkerMeans::staleness),
        epochs.stream().mapToLong(epoch -> epoch.worker().worstStaleness()).max().orElseThrow(),
        ratio(computing, all),
        ratio(waiting, all),
        ratio(exchanging, all),
        mean(epochs, WorkerMeans::partitions),
        sentOfPlanned(history),
        compression(epochs));
  }

  private static List<Scored> scores(RunHistory history) {
    List<Scored> scores = new ArrayList<>();
    for (Evaluation epoch : history.evaluations()) {
      scores.add(new Scored(epoch.epoch(), epoch.seconds(), epoch.score(), epoch.testsOnlyPart()));
    }
    // Where workers do not wait for each other, an epoch's score is that of all replicas, each on
    // a share of the test set, and the saved model is one of them, or made of all at the end.
    Scored last = scores.get(scores.size() - 1);
    history
        .outcome()
        .map(Outcome::score)
        // Epochs may have been evaluated on held-out samples, and the saved model is not.
        .filter(score -> !history.head().evaluated().isHeldOut())
        .filter(score -> !score.equals(last.score))
        .ifPresent(score -> scores.add(new Scored(last.epoch, last.seconds, score, false)));
    return List.copyOf(scores);
  }

  private static Optional<Compression> compression(List<Evaluation> epochs) {
    if (!epochs.stream().allMatch(epoch -> epoch.worker().hasCompressed())) {
      return Optional.empty();
    }
    return Optional.of(
        new Compression(
            mean(epochs, WorkerMeans::density),
            mean(epochs, WorkerMeans::threshold),
            mean(epochs, WorkerMeans::residualNorm),
            sum(epochs, epoch -> epoch.worker().plainBytes()),
            sum(epochs, epoch -> epoch.worker().compressedBytes())));
  }

  private static OptionalDouble accuracyVariancePp2(RunHistory history) {
    return history.outcome().stream()
        .filter(outcome -> !outcome.replicaAccuracies().orElse(List.of()).isEmpty())
        .mapToDouble(Outcome::accuracyVariancePp2)
        .findFirst();
  }

  private static OptionalDouble sentOfPlanned(RunHistory history) {
    List<Evaluation> epochs = history.evaluations();
    double planned =
        sum(
            epochs.subList(1, epochs.size()),
            epoch -> epoch.worker().plannedBytesPerSecond() * epoch.trainSeconds());
    double sent = epochs.get(epochs.size() - 1).bytes() - (double) epochs.get(0).bytes();
    return planned > 0
        ? OptionalDouble.of(sent / history.head().workers() / planned)
        : OptionalDouble.empty();
  }

  /** What a run was to reach. */
  static Optional<Target> target(RunHistory history) {
    return history
        .head()
        .option("target-accuracy")
        .map(value -> new Target(false, Double.parseDouble(value)))
        .or(
            () ->
                history
                    .head()
                    .option("target-loss")
                    .map(value -> new Target(true, Double.parseDouble(value))));
  }

  /**
   * What runs are to reach.
   *
   * @param isLoss whether it is a test loss, and no test accuracy
   */
  record Target(boolean isLoss, double value) {

    boolean isReachedBy(TestScore score) {
      return score.quality() >= (isLoss ? -value : value);
    }

    /** An accuracy, which plots of scores have. */
    static OptionalDouble accuracy(Optional<Target> target) {
      return target.isPresent() && !target.get().isLoss
          ? OptionalDouble.of(target.get().value)
          : OptionalDouble.empty();
    }
  }

  private static double mean(List<Evaluation> epochs, ToDoubleFunction<WorkerMeans> figure) {
    return ratio(
        sum(epochs, epoch -> epoch.samples() * figure.applyAsDouble(epoch.worker())),
        sum(epochs, Evaluation::samples));
  }

  private static double sum(List<Evaluation> epochs, ToDoubleFunction<Evaluation> figure) {
    return epochs.stream().mapToDouble(figure).sum();
  }

  private static double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
