package dev.braid.api.score;

import dev.braid.run.scoring.RecordScore;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/** Writes and reads scored records: the record, and then its score. */
final class ScoredSerializer<T> extends TypeSerializer<Scored<T>> {

  private static final long serialVersionUID = 1L;

  private final TypeSerializer<T> record;

  ScoredSerializer(TypeSerializer<T> record) {
    this.record = record;
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Scored<T>> duplicate() {
    return new ScoredSerializer<>(record.duplicate());
  }

  /**
   * Returns an instance, for which Flink asks in order to read into it; this serializer ignores it.
   */
  @Override
  public Scored<T> createInstance() {
    return new Scored<>(record.createInstance(), new RecordScore("", new float[0], "", ""));
  }

  @Override
  public Scored<T> copy(Scored<T> from) {
    RecordScore score = from.score();
    return new Scored<>(
        record.copy(from.record()),
        new RecordScore(score.version(), score.scores().clone(), score.label(), score.error()));
  }

  @Override
  public Scored<T> copy(Scored<T> from, Scored<T> reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(Scored<T> scored, DataOutputView target) throws IOException {
    record.serialize(scored.record(), target);
    RecordScore score = scored.score();
    StringValue.writeString(score.version(), target);
    target.writeInt(score.scores().length);
    for (float number : score.scores()) {
      target.writeFloat(number);
    }
    StringValue.writeString(score.label(), target);
    StringValue.writeString(score.error(), target);
  }

  @Override
  public Scored<T> deserialize(DataInputView source) throws IOException {
    T value = record.deserialize(source);
    String version = StringValue.readString(source);
    float[] scores = new float[source.readInt()];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = source.readFloat();
    }
    return new Scored<>(
        value,
        new RecordScore(
            version, scores, StringValue.readString(source), StringValue.readString(source)));
  }

  @Override
  public Scored<T> deserialize(Scored<T> reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScoredSerializer<?> that && that.record.equals(record);
  }

  @Override
  public int hashCode() {
    return record.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<Scored<T>> snapshotConfiguration() {
    return new Snapshot<>(this);
  }

  /** Snapshot of the serializer that has written a state. */
  public static final class Snapshot<T>
      extends CompositeTypeSerializerSnapshot<Scored<T>, ScoredSerializer<T>> {

    private static final int VERSION = 1;

    /** Creates a snapshot that Flink then reads. */
    public Snapshot() {}

    Snapshot(ScoredSerializer<T> serializer) {
      super(serializer);
    }

    @Override
    protected int getCurrentOuterSnapshotVersion() {
      return VERSION;
    }

    @Override
    protected TypeSerializer<?>[] getNestedSerializers(ScoredSerializer<T> serializer) {
      return new TypeSerializer<?>[] {serializer.record};
    }

    @Override
    @SuppressWarnings("unchecked")
    protected ScoredSerializer<T> createOuterSerializerWithNestedSerializers(
        TypeSerializer<?>[] nested) {
      return new ScoredSerializer<>((TypeSerializer<T>) nested[0]);
    }
  }
}
