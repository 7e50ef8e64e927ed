package dev.braid.run.result;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.worker.report.RoundSums;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Work of a worker in an epoch, as the mean over all workers unless a field says otherwise.
 *
 * @param computeSeconds time for computing gradients
 * @param exchangeSeconds time from the gradient to the end of its round; where workers do not wait
 *     for each other, only the time to apply the gradient and to hand it over
 * @param waitSeconds the rest of its rounds: waiting for a batch, for the exchange's permission,
 *     for a checkpoint
 * @param staleness number of gradients of another worker that were missing in the weights for which
 *     a gradient was computed, mean over all gradients
 * @param worstStaleness greatest staleness of all gradients and workers
 * @param partitions number of parts into which gradients were cut; 0 if they are not
 * @param plannedBytesPerSecond bytes per second that Ako's cost model expected a worker to send
 *     with these partitions; 0 without a cost model
 * @param mostVectors greatest number of vectors of the model's size that a worker kept for others
 *     in addition to the model; 0 if none are
 * @param stragglers workers whose answers a round's sums did not wait for, mean over rounds; like
 *     the next three, 0 if sums are not made of answers
 * @param lateMessages answers of all workers that came too late to be needed
 * @param decodedSets greatest number of different sets of workers whose answers one parent has
 *     summed
 * @param sumSeconds time from the last answer that a parent's sum needed to the end of its round
 * @param density share of a gradient's elements that was sent; this figure and those up to {@code
 *     compressedBytes} are known only if gradients are compressed
 * @param threshold threshold that sent elements exceeded, of the mean gradient of a batch; 0 if
 *     there is none
 * @param residualNorm Euclidean length of what a worker had not sent yet
 * @param plainBytes bytes that the values of a worker's sent gradients would have taken as float32
 * @param compressedBytes bytes that these values took
 * @param treeChildren number of children of a parent in the epoch's tree; this figure and those
 *     below are known only if trees are chosen repeatedly
 * @param treeStragglers number of children that a parent does not wait for in this tree
 * @param plannedSeconds expected time of a round when the tree was chosen
 * @param plannedSecondsBefore expected time of a round in the previous tree
 */
public record WorkerMeans(
    double computeSeconds,
    double exchangeSeconds,
    double waitSeconds,
    double staleness,
    long worstStaleness,
    double partitions,
    double plannedBytesPerSecond,
    int mostVectors,
    double stragglers,
    long lateMessages,
    int decodedSets,
    double sumSeconds,
    @IfKnown double density,
    @IfKnown double threshold,
    @IfKnown double residualNorm,
    @IfKnown double plainBytes,
    @IfKnown double compressedBytes,
    @IfKnown double treeChildren,
    @IfKnown double treeStragglers,
    @IfKnown double plannedSeconds,
    @IfKnown double plannedSecondsBefore) {

  private static final double NANOS = 1e9;

  /** Creates the means for a run without a tree, or with one that never changes. */
  public WorkerMeans(
      double computeSeconds,
      double exchangeSeconds,
      double waitSeconds,
      double staleness,
      long worstStaleness,
      double partitions,
      double plannedBytesPerSecond,
      int mostVectors,
      double stragglers,
      long lateMessages,
      int decodedSets,
      double sumSeconds,
      double density,
      double threshold,
      double residualNorm,
      double plainBytes,
      double compressedBytes) {
    this(
        computeSeconds,
        exchangeSeconds,
        waitSeconds,
        staleness,
        worstStaleness,
        partitions,
        plannedBytesPerSecond,
        mostVectors,
        stragglers,
        lateMessages,
        decodedSets,
        sumSeconds,
        density,
        threshold,
        residualNorm,
        plainBytes,
        compressedBytes,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** Creates the means for an exchange that makes no sums of answers and does not compress. */
  public WorkerMeans(
      double computeSeconds,
      double exchangeSeconds,
      double waitSeconds,
      double staleness,
      long worstStaleness,
      double partitions,
      double plannedBytesPerSecond,
      int mostVectors) {
    this(
        computeSeconds,
        exchangeSeconds,
        waitSeconds,
        staleness,
        worstStaleness,
        partitions,
        plannedBytesPerSecond,
        mostVectors,
        0,
        0,
        0,
        0,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** Returns whether gradients were compressed. */
  public boolean hasCompressed() {
    return !Double.isNaN(density);
  }

  /** Returns the means of the sums over a number of workers. */
  public static WorkerMeans of(RoundSums sums, int workers) {
    long rounds = Math.max(1, sums.rounds());
    return new WorkerMeans(
        sums.gradientNanos() / NANOS / workers,
        sums.exchangeNanos() / NANOS / workers,
        sums.waitNanos() / NANOS / workers,
        sums.staleness() / rounds,
        sums.worstStaleness(),
        (double) sums.partitions() / rounds,
        sums.plannedBytesPerSecond() / rounds,
        sums.mostVectors(),
        (double) sums.decoding().stragglers() * workers / rounds,
        sums.decoding().lateMessages(),
        sums.decoding().mostSets(),
        sums.decoding().sumNanos() / NANOS / Math.max(1, sums.decoding().sums()),
        ofGradients(sums.compression(), CompressionUse::density),
        ofGradients(sums.compression(), CompressionUse::tau),
        ofGradients(sums.compression(), CompressionUse::residualNorm),
        ofWorkers(sums.compression(), CompressionUse::plainBytes, workers),
        ofWorkers(sums.compression(), CompressionUse::sentBytes, workers),
        ofTree(sums.decoding().tree(), TreeInUse::children),
        ofTree(sums.decoding().tree(), TreeInUse::stragglers),
        ofTree(sums.decoding().tree(), TreeInUse::seconds),
        ofTree(sums.decoding().tree(), TreeInUse::secondsBefore));
  }

  private static double ofTree(TreeInUse tree, ToDoubleFunction<TreeInUse> figure) {
    return tree.isKnown() ? figure.applyAsDouble(tree) : Double.NaN;
  }

  /** Returns whether another tree was chosen for this epoch than for the previous one. */
  public boolean hasAnotherTreeThan(WorkerMeans before) {
    return Double.compare(before.treeChildren, treeChildren) != 0
        || Double.compare(before.treeStragglers, treeStragglers) != 0;
  }

  /** Describes the chosen tree and its expected times; empty if the tree is that of the options. */
  public Optional<String> treeInWords() {
    return Double.isNaN(plannedSeconds)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "planned: n = %.0f, s = %.0f, %.1f ms per round expected, %.1f ms with the "
                    + "tree before",
                treeChildren,
                treeStragglers,
                1e3 * plannedSeconds,
                1e3 * plannedSecondsBefore));
  }

  private static double ofGradients(CompressionUse use, ToDoubleFunction<CompressionUse> figure) {
    return use.gradients() == 0 ? Double.NaN : figure.applyAsDouble(use) / use.gradients();
  }

  private static double ofWorkers(
      CompressionUse use, ToDoubleFunction<CompressionUse> figure, int workers) {
    return use.gradients() == 0 ? Double.NaN : figure.applyAsDouble(use) / workers;
  }
}
