package dev.braid.worker.report;

import dev.braid.learner.Learner;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A rank's sums over the epoch under way.
 *
 * @param samples samples trained on
 * @param lossSum the {@linkplain LossSums sum} of their losses
 * @param trainNanos time that its rounds took, in nanoseconds
 * @param bytesSent by this rank since the run began
 * @param rounds what its rounds add up to
 * @param missedSamples samples that were not used, as their rounds went without this rank
 * @param held score of samples of a stream that are not trained on, each with the weights of its
 *     round
 */
public record EpochSums(
    long samples,
    double lossSum,
    long trainNanos,
    long bytesSent,
    RoundSums rounds,
    long missedSamples,
    Learner.Score held) {

  public static final EpochSums NONE =
      new EpochSums(0, 0, 0, 0, RoundSums.NONE, 0, Learner.Score.NONE);

  /** The sums of two ranks, which trained at the same time. */
  public EpochSums plus(EpochSums other) {
    return new EpochSums(
        samples + other.samples,
        LossSums.plus(lossSum, samples, other.lossSum, other.samples),
        Math.max(trainNanos, other.trainNanos),
        bytesSent + other.bytesSent,
        rounds.plus(other.rounds),
        missedSamples + other.missedSamples,
        held.plus(other.held));
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(samples);
    out.writeDouble(lossSum);
    out.writeLong(trainNanos);
    out.writeLong(bytesSent);
    rounds.write(out);
    out.writeLong(missedSamples);
    held.write(out);
  }

  public static EpochSums read(DataInput in) throws IOException {
    return new EpochSums(
        in.readLong(),
        in.readDouble(),
        in.readLong(),
        in.readLong(),
        RoundSums.read(in),
        in.readLong(),
        Learner.Score.read(in));
  }
}
