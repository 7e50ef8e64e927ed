package dev.braid.worker.report;

import dev.braid.codec.DenseCodec;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.wire.ImmutableSerializer;
import dev.braid.wire.SerializedType;
import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serialises parts of a model for the report, with their values in bulk. Flink's own array
 * serializer writes value by value, which occupies the worker's task several times as long for a
 * large model.
 */
final class ModelPartSerializer extends ImmutableSerializer<ModelPart> {

  private static final long serialVersionUID = 1L;

  static final SerializedType<ModelPart> TYPE =
      new SerializedType<>(ModelPart.class, new ModelPartSerializer());

  @Override
  public void serialize(ModelPart part, DataOutputView out) throws IOException {
    out.writeInt(part.epoch());
    out.writeInt(part.vector());
    out.writeInt(part.vectors());
    out.writeInt(part.start());
    out.writeInt(part.length());
    out.writeLong(part.steps());
    out.writeInt(part.values().length);
    new DenseCodec().write(whole(part.values()), out);
  }

  @Override
  public ModelPart deserialize(DataInputView in) throws IOException {
    int epoch = in.readInt();
    int vector = in.readInt();
    int vectors = in.readInt();
    int start = in.readInt();
    int length = in.readInt();
    long steps = in.readLong();
    int count = in.readInt();
    if (count < 0 || start < 0 || start > length - count) {
      throw new IOException(
          "part of a model with %d values from element %d: must be within %d elements"
              .formatted(count, start, length));
    }
    float[] values = new float[count];
    new DenseCodec().read(whole(values), in);
    return new ModelPart(epoch, vector, vectors, start, length, steps, values);
  }

  private static Slice whole(float[] values) {
    return Slice.view(values, Range.ofLength(values.length));
  }

  @Override
  public ModelPart createInstance() {
    return new ModelPart(ModelPart.FINAL, 0, 1, 0, 0, 0, new float[0]);
  }

  /**
   * Returns the snapshot of this serializer. The report's operator, and not this class, is
   * responsible for parts in state.
   */
  @Override
  public TypeSerializerSnapshot<ModelPart> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Flink's record of a serializer: its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<ModelPart> {
    public Snapshot() {
      super(ModelPartSerializer::new);
    }
  }
}
