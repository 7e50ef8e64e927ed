package dev.braid.connectors;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What the enumerator keeps in a checkpoint: what positions mean, and whether the readers have
 * their shares. The positions themselves are with the readers.
 *
 * @param samples how many samples an epoch has
 * @param seed the seed of the epochs' orders
 * @param dealt whether the readers had their shares
 */
public record EnumeratorState(int samples, long seed, boolean dealt) {

  /** Version 1: {@code samples} (int), {@code seed} (long), {@code dealt} (boolean). */
  static final class Serializer implements SimpleVersionedSerializer<EnumeratorState> {

    static final int VERSION = 1;

    private static final int BYTES = Integer.BYTES + Long.BYTES + 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(BYTES);
      out.writeInt(state.samples());
      out.writeLong(state.seed());
      out.writeBoolean(state.dealt());
      return out.getCopyOfBuffer();
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
      if (version != VERSION || serialized.length != BYTES) {
        throw new IOException(
            "state of the sample source in version "
                + version
                + ", "
                + serialized.length
                + " bytes: version 1, "
                + BYTES
                + " bytes is known");
      }
      DataInputDeserializer in = new DataInputDeserializer(serialized);
      return new EnumeratorState(in.readInt(), in.readLong(), in.readBoolean());
    }
  }
}
