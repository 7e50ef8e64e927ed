package dev.braid.connectors.source;

import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.Features;
import dev.braid.learner.Targets;
import dev.braid.wire.ImmutableSerializer;
import dev.braid.wire.SerializedType;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serialises a batch: {@code epoch lastOfEpoch samples width sparse count values}; the ids; the
 * samples' labels, or {@code values} numbers per sample if {@code values} is not 0; whether they
 * have weights, and if so the weights; for sparse features the starts of rows and the columns; and
 * the features' values. Then follows whether the batch has coefficients, and if so the
 * coefficients, the number of ids in the worker's account, these ids, and the number of samples of
 * the round. Numbers are big-endian, and arrays are copied in blocks, not element by element.
 *
 * <p>A batch is serialised only if it crosses a network or is part of state: a source passes the
 * object itself to the worker that is chained to it. A batch of a stream has offsets for the
 * ledger, and is never serialised. A batch does not change after its creation, so that the object
 * itself serves as its copy.
 */
public final class BatchSerializer extends ImmutableSerializer<Batch> {

  /** The type of batches in Flink. */
  public static final SerializedType<Batch> TYPE =
      new SerializedType<>(Batch.class, new BatchSerializer());

  private static final int BLOCK_BYTES = 1 << 15;

  @Override
  public Batch createInstance() {
    return new Batch(0, new int[0], Features.NONE, new int[0], false);
  }

  @Override
  public void serialize(Batch batch, DataOutputView target) throws IOException {
    if (batch.origin().isPresent()) {
      throw new IOException(
          "a batch of a stream has offsets, which are lost outside of its task: the worker has to be chained to the source");
    }
    target.writeInt(batch.epoch());
    target.writeBoolean(batch.lastOfEpoch());
    target.writeInt(batch.size());
    Features features =
        batch.features().isDeferred() ? batch.features().part(0, batch.size()) : batch.features();
    target.writeInt(features.width());
    target.writeBoolean(features.isSparse());
    target.writeInt(features.count());
    int values = batch.targets() instanceof Targets.Values all ? all.width() : 0;
    target.writeInt(values);
    byte[] block = new byte[blockBytes(Math.max(batch.size() + 1, features.count()))];
    writeInts(batch.ids(), batch.size(), target, block);
    writeTargets(batch.targets(), target, block);
    float[] weights = batch.targets().weights();
    target.writeBoolean(weights.length > 0);
    writeFloats(weights, weights.length, target, block);
    if (features.isSparse()) {
      writeInts(features.rowStarts(), batch.size() + 1, target, block);
      writeInts(features.columns(), features.count(), target, block);
    }
    writeFloats(features.values(), features.count(), target, block);
    target.writeBoolean(batch.combination().isPresent());
    if (batch.combination().isPresent()) {
      writeCombination(batch.combination().get(), target);
    }
  }

  private static void writeCombination(Combination combination, DataOutputView target)
      throws IOException {
    int[] share = combination.share();
    int size = combination.coefficients().length;
    byte[] block = new byte[blockBytes(Math.max(size, share.length))];
    writeFloats(combination.coefficients(), size, target, block);
    target.writeInt(share.length);
    writeInts(share, share.length, target, block);
    target.writeInt(combination.roundSamples());
  }

  private static Combination readCombination(int samples, DataInputView source) throws IOException {
    float[] coefficients = readFloats(samples, source, new byte[blockBytes(samples)]);
    int length = source.readInt();
    if (length < 0) {
      throw new IOException("a batch with " + length + " samples in its account");
    }
    int[] share = readInts(length, source, new byte[blockBytes(length)]);
    return new Combination(coefficients, share, source.readInt());
  }

  @Override
  public Batch deserialize(DataInputView source) throws IOException {
    int epoch = source.readInt();
    boolean lastOfEpoch = source.readBoolean();
    int samples = source.readInt();
    int width = source.readInt();
    boolean sparse = source.readBoolean();
    int count = source.readInt();
    int valuesOfEach = source.readInt();
    if (samples < 0 || width < 0 || count < 0 || valuesOfEach < 0) {
      throw new IOException(
          "a batch of "
              + samples
              + " samples of "
              + width
              + " features with "
              + count
              + " numbers, and "
              + valuesOfEach
              + " values each");
    }
    byte[] block = new byte[blockBytes(Math.max(samples + 1, count))];
    int[] ids = readInts(samples, source, block);
    Targets plain =
        valuesOfEach == 0
            ? new Targets.Classes(readInts(samples, source, block))
            : new Targets.Values(
                valuesOfEach, readFloats(Math.multiplyExact(samples, valuesOfEach), source, block));
    Targets targets =
        source.readBoolean() ? plain.weighted(readFloats(samples, source, block)) : plain;
    int[] rowStarts = readInts(sparse ? samples + 1 : 0, source, block);
    int[] columns = readInts(sparse ? count : 0, source, block);
    float[] values = readFloats(count, source, block);
    Features features =
        sparse ? Features.sparse(width, rowStarts, columns, values) : Features.dense(width, values);
    Batch batch = new Batch(epoch, ids, features, targets, lastOfEpoch);
    return source.readBoolean() ? batch.combined(readCombination(samples, source)) : batch;
  }

  private static void writeTargets(Targets targets, DataOutputView target, byte[] block)
      throws IOException {
    if (targets instanceof Targets.Values all) {
      writeFloats(all.values(), all.values().length, target, block);
    } else {
      int[] labels = ((Targets.Classes) targets).labels();
      writeInts(labels, labels.length, target, block);
    }
  }

  @Override
  public TypeSerializerSnapshot<Batch> snapshotConfiguration() {
    return new Snapshot();
  }

  private static int blockBytes(int elements) {
    return (int) Math.min(BLOCK_BYTES, (long) elements * Integer.BYTES);
  }

  private static void writeInts(int[] values, int length, DataOutputView target, byte[] block)
      throws IOException {
    int step = Math.max(1, block.length / Integer.BYTES);
    for (int i = 0; i < length; i += step) {
      int count = Math.min(step, length - i);
      ByteBuffer.wrap(block).asIntBuffer().put(values, i, count);
      target.write(block, 0, count * Integer.BYTES);
    }
  }

  private static void writeFloats(float[] values, int length, DataOutputView target, byte[] block)
      throws IOException {
    int step = Math.max(1, block.length / Float.BYTES);
    for (int i = 0; i < length; i += step) {
      int count = Math.min(step, length - i);
      ByteBuffer.wrap(block).asFloatBuffer().put(values, i, count);
      target.write(block, 0, count * Float.BYTES);
    }
  }

  private static int[] readInts(int length, DataInputView source, byte[] block) throws IOException {
    int[] values = new int[length];
    int step = Math.max(1, block.length / Integer.BYTES);
    for (int i = 0; i < length; i += step) {
      int count = Math.min(step, length - i);
      source.readFully(block, 0, count * Integer.BYTES);
      ByteBuffer.wrap(block).asIntBuffer().get(values, i, count);
    }
    return values;
  }

  private static float[] readFloats(int length, DataInputView source, byte[] block)
      throws IOException {
    float[] values = new float[length];
    int step = Math.max(1, block.length / Float.BYTES);
    for (int i = 0; i < length; i += step) {
      int count = Math.min(step, length - i);
      source.readFully(block, 0, count * Float.BYTES);
      ByteBuffer.wrap(block).asFloatBuffer().get(values, i, count);
    }
    return values;
  }

  /** Identifies this serializer in state, by its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Batch> {
    public Snapshot() {
      super(BatchSerializer::new);
    }
  }
}
