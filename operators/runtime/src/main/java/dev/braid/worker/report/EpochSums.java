package dev.braid.worker.report;

import dev.braid.exchange.FigureValues;
import dev.braid.learner.Learner;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Sums of a rank, or of several ranks, over an epoch.
 *
 * @param samples number of samples trained on
 * @param lossSum {@linkplain LossSums sum} of their losses
 * @param trainNanos time that its rounds took, in nanoseconds
 * @param bytesSent bytes that this rank has sent since the run began
 * @param figures sums of the figures of its rounds
 * @param missedSamples number of samples that were not used, because their rounds went without this
 *     rank
 * @param test score of samples that are not trained on: those of a stream, each with the weights of
 *     its round, and at the end of the epoch those of the test set
 */
public record EpochSums(
    long samples,
    double lossSum,
    long trainNanos,
    long bytesSent,
    FigureValues figures,
    long missedSamples,
    Learner.Score test) {

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
        test.plus(other.test));
  }

  /** Returns a copy with another score. */
  public EpochSums withTest(Learner.Score score) {
    return new EpochSums(samples, lossSum, trainNanos, bytesSent, figures, missedSamples, score);
  }

  /** Returns a copy with another number of bytes. */
  public EpochSums withBytesSent(long bytes) {
    return new EpochSums(samples, lossSum, trainNanos, bytes, figures, missedSamples, test);
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(samples);
    out.writeDouble(lossSum);
    out.writeLong(trainNanos);
    out.writeLong(bytesSent);
    figures.write(out);
    out.writeLong(missedSamples);
    test.write(out);
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
