package dev.braid.worker.report;

import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.Staleness;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a rank's rounds add up to since the epoch began. Divided by the rounds, they are means.
 *
 * @param gradientNanos computing gradients
 * @param exchangeNanos from the gradient to the end of its round
 * @param waitNanos the rest: for a batch, for the exchange's leave, for a checkpoint
 * @param staleness the sum of each gradient's mean {@link Staleness}
 * @param worstStaleness the worst of all gradients
 * @param partitions the sum of each round's p; 0 where gradients are not partitioned
 * @param plannedBytesPerSecond the sum of what the cost model expects each round to be sent with
 *     its p; 0 where there is none, or as long as it knows no rate
 * @param mostVectors the most {@linkplain dev.braid.exchange.Measured#keptVectors() vectors} that
 *     were kept at the end of a round
 * @param decoding what has become of answers, in coded exchanges
 * @param compression what compression has made of gradients
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

  /** Of an exchange that decodes nothing, and without compression. */
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

  /** The same with more gradients that were compressed. */
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

  /** One round more. */
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

  /** The sums of both. */
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
