package dev.braid.worker.report;

import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The progress of a regression, measured by its parameters θ at the end of each epoch (CodedReduce
 * §IV-A): the relative error rate ‖θ(e) − θ(e−1)‖² / ‖θ(e−1)‖² (eq. 9) and, if the true parameters
 * are known, the normalized error rate ‖θ(e) − θ*‖² / ‖θ*‖² (eq. 11). With full batches an epoch is
 * one iteration, as in the paper.
 *
 * <p>The rates are those of the first worker's model. An epoch that this worker did not evaluate,
 * because it was excluded, has no rates. The first epoch has no relative rate.
 */
public final class ErrorRates {

  private static final String NAME = "the error rates";
  private static final byte VERSION = 2;
  private static final int HEAD_BYTES = Byte.BYTES + 3 * Integer.BYTES;

  /** Value of an epoch's number for no epoch. */
  private static final int NONE = 0;

  /**
   * The rates of an epoch; NaN if a rate is not known.
   *
   * @param relative relative error rate, eq. 9
   * @param normalized normalized error rate, eq. 11
   */
  public record Rates(double relative, double normalized) {}

  private final boolean isWanted;
  private final float[] truth;

  /** Rates by epoch, including epochs whose evaluation may not be reported yet. */
  private final Map<Integer, Rates> byEpoch = new TreeMap<>();

  /** The epoch to which the parts in {@link #model} belong, if there are any. */
  private int open = NONE;

  private EpochModel model = new EpochModel();

  /** The last epoch whose model is complete; {@link #before} has its weights. */
  private int last = NONE;

  private float[] before = {};

  /**
   * Creates the rates of a run that begins.
   *
   * @param truth the true parameters, or an empty array if they are not known; {@code
   *     Optional.empty()} if error rates are not wanted
   */
  public ErrorRates(Optional<float[]> truth) {
    this.isWanted = truth.isPresent();
    this.truth = truth.orElse(new float[0]);
  }

  /**
   * Adds a part of an epoch's model. After a failure, a part may be added again.
   *
   * @return whether this part completes the epoch's model, so that its rates become known
   */
  public boolean add(ModelPart part) {
    if (!isWanted || part.epoch() <= last) {
      return false;
    }
    if (part.epoch() != open) {
      open = part.epoch();
      model = new EpochModel();
    }
    model.add(part);
    if (!model.isWhole()) {
      return false;
    }
    float[] weights = model.weights();
    model = new EpochModel();
    boolean follows = part.epoch() == last + 1 && before.length > 0;
    byEpoch.put(
        part.epoch(),
        new Rates(
            follows ? rate(weights, before) : Double.NaN,
            truth.length > 0 ? rate(weights, truth) : Double.NaN));
    last = part.epoch();
    before = weights;
    return true;
  }

  /** Returns ‖a − b‖² / ‖b‖²; NaN if b is 0. */
  static double rate(float[] a, float[] b) {
    double apart = 0;
    double length = 0;
    for (int i = 0; i < b.length; i++) {
      double difference = (double) a[i] - b[i];
      apart += difference * difference;
      length += (double) b[i] * b[i];
    }
    return length == 0 ? Double.NaN : apart / length;
  }

  /** Returns the rates of an epoch, from 1, if its model is complete. */
  public Optional<Rates> of(int epoch) {
    return Optional.ofNullable(byEpoch.get(epoch));
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Returns the state for a checkpoint; empty if no rates are known. */
  public List<byte[]> save() {
    if (last == NONE) {
      return List.of();
    }
    int ofRates = byEpoch.size() * (Integer.BYTES + 2 * Double.BYTES);
    ByteBuffer bytes =
        ByteBuffer.allocate(
            HEAD_BYTES + ofRates + before.length * Float.BYTES + StateChecksum.BYTES);
    bytes.put(VERSION).putInt(last).putInt(byEpoch.size()).putInt(before.length);
    byEpoch.forEach(
        (epoch, rates) ->
            bytes.putInt(epoch).putDouble(rates.relative()).putDouble(rates.normalized()));
    bytes.asFloatBuffer().put(before);
    StateChecksum.seal(bytes.array());
    return List.of(bytes.array());
  }

  /** Continues from the state in a checkpoint. */
  public void restore(Iterable<byte[]> saved) throws IOException {
    for (byte[] bytes : saved) {
      ByteBuffer in = StateChecksum.openBuffer(NAME, bytes);
      if (in.remaining() < HEAD_BYTES || in.get() != VERSION) {
        throw new IOException("the state of error rates must be of version " + VERSION);
      }
      last = in.getInt();
      int count = in.getInt();
      int length = in.getInt();
      long needed = (long) count * (Integer.BYTES + 2 * Double.BYTES) + (long) length * Float.BYTES;
      if (count < 0 || length < 0 || needed != in.remaining()) {
        throw new DamagedStateException(
            NAME,
            "%d epochs and %d parameters do not match %d bytes"
                .formatted(count, length, in.remaining()));
      }
      for (int i = 0; i < count; i++) {
        byEpoch.put(in.getInt(), new Rates(in.getDouble(), in.getDouble()));
      }
      before = new float[length];
      in.asFloatBuffer().get(before);
    }
  }
}
