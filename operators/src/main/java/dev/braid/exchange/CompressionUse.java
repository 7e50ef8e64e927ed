package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What compression has made of gradients, added up over them: divided by their number, all but the
 * bytes are means.
 *
 * @param gradients how many were compressed
 * @param density the shares of their elements that were sent
 * @param tau their thresholds, of the mean gradient of a full batch; 0 where there is none
 * @param residualNorm the Euclidean lengths of what was not sent yet after each, as it was measured
 *     last, of the mean gradient, too; 0 where nothing is kept
 * @param plainBytes what the values of messages with gradients would take as float32
 * @param sentBytes what they took
 */
public record CompressionUse(
    long gradients,
    double density,
    double tau,
    double residualNorm,
    long plainBytes,
    long sentBytes) {

  /** Nothing was compressed. */
  public static final CompressionUse NONE = new CompressionUse(0, 0, 0, 0, 0, 0);

  /** What has come to it since another moment. */
  public CompressionUse since(CompressionUse before) {
    return new CompressionUse(
        gradients - before.gradients,
        density - before.density,
        tau - before.tau,
        residualNorm - before.residualNorm,
        plainBytes - before.plainBytes,
        sentBytes - before.sentBytes);
  }

  /** The sums of both. */
  public CompressionUse plus(CompressionUse other) {
    return new CompressionUse(
        gradients + other.gradients,
        density + other.density,
        tau + other.tau,
        residualNorm + other.residualNorm,
        plainBytes + other.plainBytes,
        sentBytes + other.sentBytes);
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(gradients);
    out.writeDouble(density);
    out.writeDouble(tau);
    out.writeDouble(residualNorm);
    out.writeLong(plainBytes);
    out.writeLong(sentBytes);
  }

  public static CompressionUse read(DataInput in) throws IOException {
    return new CompressionUse(
        in.readLong(),
        in.readDouble(),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readLong());
  }
}
