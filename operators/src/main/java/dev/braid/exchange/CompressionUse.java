package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Statistics of gradient compression, summed over the compressed gradients. Divide {@code density},
 * {@code tau} and {@code residualNorm} by {@code gradients} to get means.
 *
 * @param gradients number of compressed gradients
 * @param density sum of the fractions of elements that were sent, each from 0 to 1
 * @param tau sum of the thresholds, in units of the mean gradient of a full batch; 0 for codecs
 *     without a threshold
 * @param residualNorm sum of the residual's Euclidean norm after each gradient, as last measured,
 *     also in units of the mean gradient; 0 for codecs without a residual
 * @param plainBytes bytes that the values of gradient messages would take as float32
 * @param sentBytes bytes that those values took
 */
public record CompressionUse(
    long gradients,
    double density,
    double tau,
    double residualNorm,
    long plainBytes,
    long sentBytes) {

  /** Statistics with no compressed gradient. */
  public static final CompressionUse NONE = new CompressionUse(0, 0, 0, 0, 0, 0);

  /** Returns the difference between this and an earlier reading. */
  public CompressionUse since(CompressionUse before) {
    return new CompressionUse(
        gradients - before.gradients,
        density - before.density,
        tau - before.tau,
        residualNorm - before.residualNorm,
        plainBytes - before.plainBytes,
        sentBytes - before.sentBytes);
  }

  /** Returns the element-wise sum of this and another reading. */
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
