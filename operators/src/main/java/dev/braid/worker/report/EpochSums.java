package dev.braid.worker.report;

import dev.braid.exchange.FigureValues;
import dev.braid.learner.Learner;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A rank's sums over the epoch in progress.
 *
 * @param samples number of samples trained on
 * @param lossSum {@linkplain LossSums sum} of their losses
 * @param trainNanos time that its rounds took, in nanoseconds
 * @param bytesSent bytes that this rank has sent since the run began
 * @param figures sums of the figures of its rounds
 * @param missedSamples number of samples that were not used, because their rounds went without this
 *     rank
 * @param held score of a stream's samples that are not trained on, each with the weights of its
 *     round
 */
public record EpochSums(
    long samples,
    double lossSum,
    long trainNanos,
    long bytesSent,
    FigureValues figures,
    long missedSamples,
    Learner.Score held) {

  public static final EpochSums NONE =
      new EpochSums(0, 0, 0, 0, new FigureValues(), 0, Learner.Score.NONE);

  /** Returns the sums of two ranks, which trained at the same time. */
  public EpochSums plus(EpochSums other) {
    return new EpochSums(
        samples + other.samples,
        LossSums.plus(lossSum, samples, other.lossSum, other.samples),
        Math.max(trainNanos, other.trainNanos),
        bytesSent + other.bytesSent,
        figures.plus(other.figures),
        missedSamples + other.missedSamples,
        held.plus(other.held));
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(samples);
    out.writeDouble(lossSum);
    out.writeLong(trainNanos);
    out.writeLong(bytesSent);
    figures.write(out);
    out.writeLong(missedSamples);
    held.write(out);
  }

  public static EpochSums read(DataInput in) throws IOException {
    return new EpochSums(
        in.readLong(),
        in.readDouble(),
        in.readLong(),
        in.readLong(),
        FigureValues.read(in),
        in.readLong(),
        Learner.Score.read(in));
  }
}
