package dev.braid.worker.report;

import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.Staleness;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Sums over a rank's rounds since the epoch began. Divided by the number of rounds, they are means.
 *
 * @param gradientNanos time to compute gradients
 * @param exchangeNanos time from the gradient to the end of its round
 * @param waitNanos the rest of the time: waiting for a batch, for permission of the exchange, or
 *     for a checkpoint
 * @param staleness sum of each gradient's mean {@link Staleness}
 * @param worstStaleness worst staleness of all gradients
 * @param partitions sum of each round's p; 0 if gradients are not partitioned
 * @param plannedBytesPerSecond sum of the sending rates that the cost model expects of each round
 *     with its p; 0 without a cost model, or while it knows no rate
 * @param mostVectors maximum number of {@linkplain dev.braid.exchange.Measured#keptVectors()
 *     vectors} that were kept at the end of a round
 * @param decoding use of answers, in coded exchanges
 * @param compression results of compressing gradients
 */
public record RoundSums(
    long rounds,
    long gradientNanos,
    long exchangeNanos,
    long waitNanos,
    double staleness,
    long worstStaleness,
    long partitions,
    double plannedBytesPerSecond,
    int mostVectors,
    DecodingSums decoding,
    CompressionUse compression) {

  public static final RoundSums NONE = new RoundSums(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Creates the sums of an exchange that decodes nothing and does not compress. */
  public RoundSums(
      long rounds,
      long gradientNanos,
      long exchangeNanos,
      long waitNanos,
      double staleness,
      long worstStaleness,
      long partitions,
      double plannedBytesPerSecond,
      int mostVectors) {
    this(
        rounds,
        gradientNanos,
        exchangeNanos,
        waitNanos,
        staleness,
        worstStaleness,
        partitions,
        plannedBytesPerSecond,
        mostVectors,
        DecodingSums.NONE,
        CompressionUse.NONE);
  }

  /** Returns these sums with more compressed gradients. */
  public RoundSums plus(CompressionUse more) {
    return new RoundSums(
        rounds,
        gradientNanos,
        exchangeNanos,
        waitNanos,
        staleness,
        worstStaleness,
        partitions,
        plannedBytesPerSecond,
        mostVectors,
        decoding,
        compression.plus(more));
  }

  /** Returns these sums with one more round. */
  public RoundSums plus(
      RoundTimes times,
      Staleness behind,
      int roundPartitions,
      double planned,
      int vectors,
      DecodingSums decoded) {
    return plus(
        new RoundSums(
            1,
            times.gradient(),
            times.exchange(),
            times.waiting(),
            behind.mean(),
            behind.worst(),
            roundPartitions,
            planned,
            vectors,
            decoded,
            CompressionUse.NONE));
  }

  /** Returns the sums of both. */
  public RoundSums plus(RoundSums other) {
    return new RoundSums(
        rounds + other.rounds,
        gradientNanos + other.gradientNanos,
        exchangeNanos + other.exchangeNanos,
        waitNanos + other.waitNanos,
        staleness + other.staleness,
        Math.max(worstStaleness, other.worstStaleness),
        partitions + other.partitions,
        plannedBytesPerSecond + other.plannedBytesPerSecond,
        Math.max(mostVectors, other.mostVectors),
        decoding.plus(other.decoding),
        compression.plus(other.compression));
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(rounds);
    out.writeLong(gradientNanos);
    out.writeLong(exchangeNanos);
    out.writeLong(waitNanos);
    out.writeDouble(staleness);
    out.writeLong(worstStaleness);
    out.writeLong(partitions);
    out.writeDouble(plannedBytesPerSecond);
    out.writeInt(mostVectors);
    decoding.write(out);
    compression.write(out);
  }

  static RoundSums read(DataInput in) throws IOException {
    return new RoundSums(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readDouble(),
        in.readLong(),
        in.readLong(),
        in.readDouble(),
        in.readInt(),
        DecodingSums.read(in),
        CompressionUse.read(in));
  }
}
