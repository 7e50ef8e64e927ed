package dev.braid.run.report.reported;

import dev.braid.run.result.Evaluation;
import dev.braid.run.result.TestScore;
import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.EpochModel;
import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The best model so far, if models are compared, and the models of epochs whose evaluation is not
 * complete. A model that was evaluated on a part of the test set is compared by that, and again
 * when more is known. An epoch whose first worker was excluded before it could hand over its model
 * has none, and cannot be the best.
 */
public final class EpochModels {

  /**
   * A model with its quality on the test set.
   *
   * @param epoch epoch, from 1
   * @param quality as in {@link TestScore}
   */
  public record Best(int epoch, double quality, float[] weights) {

    /** Returns a copy with another quality, as more of the test set was evaluated. */
    Best with(double newQuality) {
      return new Best(epoch, newQuality, weights);
    }
  }

  /**
   * Maximum number of waiting epochs if their models are large. In an asynchronous exchange, the
   * first worker may be many epochs ahead of the last.
   */
  private static final int MOST_WAITING = 4;

  /**
   * Maximum number of waiting values beyond {@link #MOST_WAITING} epochs. Where epochs are short,
   * models come many epochs ahead of the evaluations that other workers report.
   */
  private static final int MOST_WAITING_VALUES = 1 << 22;

  private static final String NAME = "the best model";
  private static final byte VERSION = 2;
  private static final int HEAD_BYTES = 2 * Byte.BYTES + 4 * Integer.BYTES + Double.BYTES;

  private final NavigableMap<Integer, EpochModel> waiting = new TreeMap<>();

  /** Waiting epochs whose evaluation is of a part of the test set so far; more may follow. */
  private final NavigableSet<Integer> testedInPart = new TreeSet<>();

  private final boolean keepsBest;
  private Optional<Best> best = Optional.empty();

  /**
   * Creates an instance without models.
   *
   * @param keepsBest whether models can be compared; those of a stream's windows cannot, since each
   *     window has other records
   */
  EpochModels(boolean keepsBest) {
    this.keepsBest = keepsBest;
  }

  /** Adds a part of an epoch's model, which replaces an earlier copy of this part. */
  void add(ModelPart part) {
    while (!waiting.containsKey(part.epoch()) && !hasRoom(part)) {
      Integer known = testedInPart.pollFirst();
      if (known == null) {
        return;
      }
      waiting.remove(known);
    }
    waiting.computeIfAbsent(part.epoch(), epoch -> new EpochModel()).add(part);
  }

  private boolean hasRoom(ModelPart part) {
    return waiting.size() < MOST_WAITING
        || (waiting.size() + 1L) * part.length() <= MOST_WAITING_VALUES;
  }

  /**
   * Compares models by the evaluations of their epochs.
   *
   * @param evaluated takes each complete model with its evaluation
   * @return whether there is a better model than before
   */
  boolean compare(List<Evaluation> evaluations, BiConsumer<Evaluation, EpochModel> evaluated) {
    int before = best.map(Best::epoch).orElse(0);
    for (Evaluation evaluation : evaluations) {
      int epoch = evaluation.epoch();
      // Of thousands of evaluations, most have been compared before.
      boolean isKnownBest = best.isPresent() && best.get().epoch() == epoch;
      if (!isKnownBest && !waiting.containsKey(epoch)) {
        continue;
      }
      double quality = evaluation.score().quality();
      if (isKnownBest) {
        best = best.map(known -> known.with(quality));
      }
      EpochModel model = waiting.get(epoch);
      if (model != null && model.isWhole()) {
        evaluated.accept(evaluation, model);
        boolean isBest = keepsBest && (best.isEmpty() || quality > best.get().quality());
        if (isBest) {
          best = Optional.of(new Best(epoch, quality, model.weights()));
        }
        if (isBest || !evaluation.testsOnlyPart()) {
          waiting.remove(epoch);
          testedInPart.remove(epoch);
        } else {
          testedInPart.add(epoch);
        }
      }
    }
    // If an epoch was evaluated and its model is incomplete, the rest of it will not come.
    int last = evaluations.isEmpty() ? 0 : evaluations.get(evaluations.size() - 1).epoch();
    waiting.keySet().removeIf(epoch -> epoch < last && !testedInPart.contains(epoch));
    return best.map(Best::epoch).orElse(0) != before;
  }

  public Optional<Best> best() {
    return best;
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /**
   * Returns the content of a checkpoint, as bytes: Flink reads arrays of floats from a file value
   * by value, which takes seconds for a model.
   */
  public List<byte[]> save() {
    List<byte[]> saved = new ArrayList<>();
    if (best.isPresent()) {
      Best known = best.get();
      saved.add(
          bytes(known.epoch(), true, known.quality(), known.weights().length, 0, known.weights()));
    }
    for (EpochModel model : waiting.values()) {
      for (ModelPart part : model.parts()) {
        saved.add(bytes(part.epoch(), false, 0, part.length(), part.start(), part.values()));
      }
    }
    return saved;
  }

  private static byte[] bytes(
      int epoch, boolean isBest, double quality, int length, int start, float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            HEAD_BYTES + Math.multiplyExact(values.length, Float.BYTES) + StateChecksum.BYTES);
    bytes.put(VERSION).putInt(epoch).put((byte) (isBest ? 1 : 0)).putDouble(quality);
    bytes.putInt(length).putInt(start).putInt(values.length);
    bytes.asFloatBuffer().put(values);
    StateChecksum.seal(bytes.array());
    return bytes.array();
  }

  /** Restores the content of a checkpoint. */
  public void restore(Iterable<byte[]> saved) throws IOException {
    for (byte[] bytes : saved) {
      ByteBuffer in = StateChecksum.openBuffer(NAME, bytes);
      require(in.remaining() >= HEAD_BYTES, in.remaining() + " bytes");
      byte version = in.get();
      if (version != VERSION) {
        throw new IOException("the best model's state has version " + version + ", not " + VERSION);
      }
      int epoch = in.getInt();
      boolean isBest = in.get() != 0;
      double quality = in.getDouble();
      int length = in.getInt();
      int start = in.getInt();
      int count = in.getInt();
      require(count >= 0 && count <= in.remaining() / Float.BYTES, count + " values");
      require(
          start >= 0 && (long) start + count <= length,
          "%d values from %d on, of %d".formatted(count, start, length));
      float[] values = new float[count];
      in.asFloatBuffer().get(values);
      if (isBest) {
        best = Optional.of(new Best(epoch, quality, values));
      } else {
        add(new ModelPart(epoch, 0, 1, start, length, 0, values));
      }
    }
  }

  private static void require(boolean met, String what) throws DamagedStateException {
    if (!met) {
      throw new DamagedStateException(NAME, what);
    }
  }
}
