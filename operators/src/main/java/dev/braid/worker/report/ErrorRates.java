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
 * How far a regression has come, by its parameters θ at the end of each epoch (CodedReduce §IV-A):
 * the relative error rate ‖θ(e) − θ(e−1)‖² / ‖θ(e−1)‖² (eq. 9), and, where the true parameters are
 * known, the normalized one ‖θ(e) − θ*‖² / ‖θ*‖² (eq. 11). With full batches an epoch is one
 * iteration, as in the paper.
 *
 * <p>They are of the first worker's model. An epoch that it did not evaluate, being cut off, has
 * none; nor has the first a relative one.
 */
public final class ErrorRates {

  private static final String NAME = "the error rates";
  private static final byte VERSION = 2;
  private static final int HEAD_BYTES = Byte.BYTES + 3 * Integer.BYTES;

  /** Of no epoch. */
  private static final int NONE = 0;

  /**
   * Those of an epoch; NaN where one is not known.
   *
   * @param relative eq. 9
   * @param normalized eq. 11
   */
  public record Rates(double relative, double normalized) {}

  private final boolean isWanted;
  private final float[] truth;

  /** Of epochs whose evaluation may not be made yet. */
  private final Map<Integer, Rates> byEpoch = new TreeMap<>();

  /** The epoch of which parts have come that are no whole model yet; or an earlier one. */
  private int open = NONE;

  private EpochModel model = new EpochModel();

  /** The last epoch whose model has come as a whole, and that. */
  private int last = NONE;

  private float[] before = {};

  /**
   * Of a run that begins.
   *
   * @param truth the true parameters; empty where they are not known, and there is none where
   *     nobody wants to know error rates
   */
  public ErrorRates(Optional<float[]> truth) {
    this.isWanted = truth.isPresent();
    this.truth = truth.orElse(new float[0]);
  }

  /**
   * A part of an epoch's model; after a failure one that has come before may come again.
   *
   * @return whether the epoch's rates are known now, and were not before
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

  /** ‖a − b‖² / ‖b‖²; NaN where b is 0. */
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

  /** Those of an epoch, from 1, whose model has come. */
  public Optional<Rates> of(int epoch) {
    return Optional.ofNullable(byEpoch.get(epoch));
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** What a checkpoint keeps; nothing where nothing is known. */
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

  /** Goes on from what a checkpoint has kept. */
  public void restore(Iterable<byte[]> saved) throws IOException {
    for (byte[] bytes : saved) {
      ByteBuffer in = StateChecksum.openBuffer(NAME, bytes);
      if (in.remaining() < HEAD_BYTES || in.get() != VERSION) {
        throw new IOException("the state of error rates is none of version " + VERSION);
      }
      last = in.getInt();
      int count = in.getInt();
      int length = in.getInt();
      long needed = (long) count * (Integer.BYTES + 2 * Double.BYTES) + (long) length * Float.BYTES;
      if (count < 0 || length < 0 || needed != in.remaining()) {
        throw new DamagedStateException(
            NAME, "%d epochs, %d parameters, %d bytes".formatted(count, length, in.remaining()));
      }
      for (int i = 0; i < count; i++) {
        byEpoch.put(in.getInt(), new Rates(in.getDouble(), in.getDouble()));
      }
      before = new float[length];
      in.asFloatBuffer().get(before);
    }
  }
}
