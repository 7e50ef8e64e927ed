package dev.braid.job.compare;

import dev.braid.exchange.Figure;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.TestScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a run. A mean is over all gradients: each epoch's mean is weighted by its samples.
 *
 * @param secondsToTarget time from the start of the run to the end of the first evaluation of the
 *     whole test set that reached the target; empty if it was not reached, or there is no target
 * @param scores the model's scores at the end of each epoch, and the saved model's score if it is
 *     another and the epochs' scores are not of held-out samples; shown in plots
 * @param best the best of these scores
 * @param bestOfPart whether the best score is of a part of the test set, because workers were
 *     unreachable
 * @param accuracyVariancePp2 variance of the replicas' final accuracies, in percentage points
 *     squared; empty if the replicas are identical, or the run has not finished
 * @param epochs completed epochs
 * @param seconds from the start of the run to the last evaluation
 * @param samplesPerSecond while training; excludes evaluations
 * @param bytesPerWorker sent until the last evaluation
 * @param staleness mean number of another worker's gradients that the weights lacked when a
 *     gradient was computed
 * @param worstStaleness largest such number of all gradients
 * @param computing share of rounds' time spent computing, from 0 to 1
 * @param waiting share of rounds' time spent waiting, from 0 to 1
 * @param exchanging share of rounds' time spent exchanging, from 0 to 1
 * @param partitions Ako's p; 0 for other exchanges
 * @param sentOfPlanned bytes sent after the first epoch, in which Ako measures γ, divided by the
 *     bytes that Ako's cost model expects with its p; empty if there is no such epoch
 * @param compression figures of compressed gradients; empty without compression
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
   * Score of the model at one time.
   *
   * @param epoch number of completed epochs
   * @param seconds since the start of the run
   * @param ofPart whether only a part of the test set was evaluated, because workers were
   *     unreachable
   */
  record Scored(int epoch, double seconds, TestScore score, boolean ofPart) {}

  /**
   * Figures of compressed gradients.
   *
   * @param density share of their elements that was sent
   * @param threshold absolute value that the sent elements of the mean gradient of a batch
   *     exceeded; 0 for codecs without a threshold
   * @param residualNorm Euclidean norm of the part of a batch's mean gradient that a worker had not
   *     sent yet
   * @param plainBytes size of the values that a worker sent, as float32
   * @param sentBytes size of these values as sent
   */
  record Compression(
      double density, double threshold, double residualNorm, double plainBytes, double sentBytes) {

    /** Returns the bytes before compression divided by the bytes after. */
    double ratio() {
      return Figures.ratio(plainBytes, sentBytes);
    }
  }

  /**
   * Returns the figures of a run that has at least one evaluation.
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
    double computing = total(epochs, Figure.COMPUTE_TIME);
    double waiting = total(epochs, Figure.WAIT_TIME);
    double exchanging = total(epochs, Figure.EXCHANGE_TIME);
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
        mean(epochs, Figure.STALENESS),
        (long)
            epochs.stream()
                .mapToDouble(epoch -> epoch.worker().get(Figure.WORST_STALENESS))
                .max()
                .orElseThrow(),
        ratio(computing, all),
        ratio(waiting, all),
        ratio(exchanging, all),
        mean(epochs, Figure.PARTITIONS),
        sentOfPlanned(history),
        compression(epochs));
  }

  private static List<Scored> scores(RunHistory history) {
    List<Scored> scores = new ArrayList<>();
    for (Evaluation epoch : history.evaluations()) {
      scores.add(new Scored(epoch.epoch(), epoch.seconds(), epoch.score(), epoch.testsOnlyPart()));
    }
    // If workers do not wait for each other, an epoch's score is that of all replicas, each on a
    // share of the test set. The saved model is one of the replicas, or combines all of them at the
    // end.
    Scored last = scores.get(scores.size() - 1);
    history
        .outcome()
        .map(Outcome::score)
        // Scores of held-out samples cannot be compared with the saved model's, which is on the
        // test set.
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
            mean(epochs, Figure.DENSITY),
            mean(epochs, Figure.THRESHOLD),
            mean(epochs, Figure.RESIDUAL_NORM),
            total(epochs, Figure.PLAIN_BYTES),
            total(epochs, Figure.SENT_BYTES)));
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
            epoch -> epoch.worker().get(Figure.PLANNED_BANDWIDTH) * epoch.trainSeconds());
    double sent = epochs.get(epochs.size() - 1).bytes() - (double) epochs.get(0).bytes();
    return planned > 0
        ? OptionalDouble.of(sent / history.head().workers() / planned)
        : OptionalDouble.empty();
  }

  /** Returns the target of a run; empty if it has none. */
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
   * Target of a run.
   *
   * @param isLoss whether it is a test loss instead of a test accuracy
   */
  record Target(boolean isLoss, double value) {

    boolean isReachedBy(TestScore score) {
      return score.quality() >= (isLoss ? -value : value);
    }

    /** Returns a target accuracy for plots; empty if the target is a loss or missing. */
    static OptionalDouble accuracy(Optional<Target> target) {
      return target.isPresent() && !target.get().isLoss
          ? OptionalDouble.of(target.get().value)
          : OptionalDouble.empty();
    }
  }

  private static double mean(List<Evaluation> epochs, Figure figure) {
    return ratio(
        sum(epochs, epoch -> epoch.samples() * epoch.worker().get(figure)),
        sum(epochs, Evaluation::samples));
  }

  private static double total(List<Evaluation> epochs, Figure figure) {
    return sum(epochs, epoch -> epoch.worker().get(figure));
  }

  private static double sum(List<Evaluation> epochs, ToDoubleFunction<Evaluation> figure) {
    return epochs.stream().mapToDouble(figure).sum();
  }

  private static double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
