package dev.braid.run.result;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.worker.report.RoundSums;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a worker did in an epoch, on average over all workers.
 *
 * @param computeSeconds computing gradients
 * @param exchangeSeconds from the gradient to the end of its round; where workers do not wait for
 *     each other, only to apply it and to hand it over
 * @param waitSeconds the rest of its rounds: for a batch, for the exchange's leave, for a
 *     checkpoint
 * @param staleness gradients of another worker that the weights lacked from which a gradient was
 *     computed, on average over all gradients
 * @param worstStaleness of all gradients and workers
 * @param partitions into how many parts gradients were cut; 0 where they are not
 * @param plannedBytesPerSecond what Ako's cost model expected a worker to send with these; 0 where
 *     there is none
 * @param mostVectors the most vectors of the model's size that a worker kept for others, beside the
 *     model; 0 where none are
 * @param stragglers workers whose answers a round's sums did not wait for, on average over rounds;
 *     as the next three, 0 where sums are not made of answers
 * @param lateMessages answers of all workers that were not needed any more
 * @param decodedSets of how many different sets of workers one parent has made sums, at most
 * @param sumSeconds from the last answer that a parent's sum needed to the end of its round
 * @param density share of a gradient's elements that was sent; this and what follows only where
 *     gradients are compressed
 * @param threshold that elements were beyond, of the mean gradient of a batch; 0 where there is
 *     none
 * @param residualNorm Euclidean length of what a worker had not sent yet
 * @param plainBytes what the gradients' values that a worker sent would have taken as float32
 * @param compressedBytes what they took
 * @param treeChildren of a parent in the epoch's tree; this and what follows only where trees are
 *     chosen anew
 * @param treeStragglers whom a parent does not wait for in it
 * @param plannedSeconds how long a round was expected to take when the tree was chosen
 * @param plannedSecondsBefore how long in the tree before
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

  /** In a tree that stays as it is, or without one. */
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

  /** Of an exchange that makes no sums of answers, and where gradients are not compressed. */
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

  /** Whether gradients were compressed. */
  public boolean hasCompressed() {
    return !Double.isNaN(density);
  }

  /** The means of so many workers' sums. */
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

  /** Whether another tree was chosen for this epoch than for the one before. */
  public boolean hasAnotherTreeThan(WorkerMeans before) {
    return Double.compare(before.treeChildren, treeChildren) != 0
        || Double.compare(before.treeStragglers, treeStragglers) != 0;
  }

  /** The tree that was chosen, with what was expected of it; empty of the one of the options. */
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
