package dev.braid.exchange;

/**
 * What compression has made of a rank's gradients since the run began, or the last restart.
 *
 * @param gradients how many were compressed
 * @param density the sum over them of the share of their elements that was sent; divided by their
 *     number, the mean
 * @param tau the last one's threshold, of the mean gradient of a full batch; 0 where there is none
 * @param residualNorm the Euclidean length of what is not sent yet; 0 where nothing is kept
 * @param plainBytes what the values of the messages with gradients would take as float32
 * @param sentBytes what they took
 */
public record CompressionUse(
    long gradients,
    double density,
    double tau,
    double residualNorm,
    long plainBytes,
    long sentBytes) {

  /** Of a rank that has compressed nothing. */
  public static final CompressionUse NONE = new CompressionUse(0, 0, 0, 0, 0, 0);

  /** What has come to it since another moment. */
  public CompressionUse since(CompressionUse before) {
    return new CompressionUse(
        gradients - before.gradients,
        density - before.density,
        tau,
        residualNorm,
        plainBytes - before.plainBytes,
        sentBytes - before.sentBytes);
  }
}
