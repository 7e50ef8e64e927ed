package dev.braid.chaos;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Target;
import dev.braid.wire.ImmutableSerializer;
import dev.braid.wire.SerializedType;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes events on their way from the desk to the links, with their places in the stream. */
final class EventSerializer extends ImmutableSerializer<ChaosEvent> {

  private static final long serialVersionUID = 1L;

  static final SerializedType<ChaosEvent> TYPE =
      new SerializedType<>(ChaosEvent.class, new EventSerializer());

  @Override
  public void serialize(ChaosEvent event, DataOutputView out) throws IOException {
    EventWriter.writeTaken(event, out);
  }

  @Override
  public ChaosEvent deserialize(DataInputView in) throws IOException {
    return EventReader.readTaken(in);
  }

  @Override
  public ChaosEvent createInstance() {
    return ChaosEvent.of(new Action.Heal(), new Target.OfRank(0));
  }

  /**
   * Returns a snapshot of this serializer; it is not used for state, in which the fault plan writes
   * events itself.
   */
  @Override
  public TypeSerializerSnapshot<ChaosEvent> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Snapshot that Flink keeps of this serializer: its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<ChaosEvent> {
    public Snapshot() {
      super(EventSerializer::new);
    }
  }
}
