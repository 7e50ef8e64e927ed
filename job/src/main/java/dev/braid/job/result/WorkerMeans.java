package dev.braid.job.result;

import dev.braid.exchange.CompressionUse;
import dev.braid.worker.report.RoundSums;
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
 * @param density share of a gradient's elements that was sent; this and what follows only where
 *     gradients are compressed
 * @param threshold that elements were beyond, of the mean gradient of a batch; 0 where there is
 *     none
 * @param residualNorm Euclidean length of what a worker had not sent yet
 * @param plainBytes what the gradients' values that a worker sent would have taken as float32
 * @param compressedBytes what they took
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
    @IfKnown double density,
    @IfKnown double threshold,
    @IfKnown double residualNorm,
    @IfKnown double plainBytes,
    @IfKnown double compressedBytes) {

  private static final double NANOS = 1e9;

  /** Where gradients are not compressed. */
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
        ofGradients(sums.compression(), CompressionUse::density),
        ofGradients(sums.compression(), CompressionUse::tau),
        ofGradients(sums.compression(), CompressionUse::residualNorm),
        ofWorkers(sums.compression(), CompressionUse::plainBytes, workers),
        ofWorkers(sums.compression(), CompressionUse::sentBytes, workers));
  }

  private static double ofGradients(CompressionUse use, ToDoubleFunction<CompressionUse> figure) {
    return use.gradients() == 0 ? Double.NaN : figure.applyAsDouble(use) / use.gradients();
  }

  private static double ofWorkers(
      CompressionUse use, ToDoubleFunction<CompressionUse> figure, int workers) {
    return use.gradients() == 0 ? Double.NaN : figure.applyAsDouble(use) / workers;
  }
}
