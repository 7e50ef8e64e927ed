package dev.braid.connectors.source;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What the enumerator keeps in a checkpoint: what positions mean, and whether the readers have
 * their shares. The positions themselves are with the readers.
 *
 * @param version of the form that it was read in; if it is another than this Braid writes, it has
 *     nothing else
 * @param samples how many samples an epoch has
 * @param data what the samples are besides: their classes and columns, in a few letters
 * @param seed the seed of the epochs' orders
 * @param dealt whether the readers had their shares
 * @param pace what decides which reader is how far, by name
 */
public record EnumeratorState(
    int version, int samples, String data, long seed, boolean dealt, String pace) {

  private static final int VERSION = 3;

  /** In the form that this Braid writes. */
  public EnumeratorState(int samples, String data, long seed, boolean dealt, String pace) {
    this(VERSION, samples, data, seed, dealt, pace);
  }

  /** Why nothing can be restored from it, if it is in a form that this Braid does not read. */
  public Optional<String> unreadable() {
    return version == VERSION
        ? Optional.empty()
        : Optional.of(
            "the state of the sample source is in version %d of its format: this Braid reads %d"
                .formatted(version, VERSION));
  }

  /**
   * Version 3: {@code samples} (int), {@code data} (UTF), {@code seed} (long), {@code dealt}
   * (boolean), {@code pace} (UTF).
   *
   * <p>A state of another version is read as one that is unreadable. To fail here would be too
   * early: Flink does not end a job that fails before it runs, which then hangs.
   */
  static final class Serializer implements SimpleVersionedSerializer<EnumeratorState> {

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(64);
      out.writeInt(state.samples());
      out.writeUTF(state.data());
      out.writeLong(state.seed());
      out.writeBoolean(state.dealt());
      out.writeUTF(state.pace());
      return out.getCopyOfBuffer();
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
      if (version != VERSION) {
        return new EnumeratorState(version, 0, "", 0, false, "");
      }
      DataInputDeserializer in = new DataInputDeserializer(serialized);
      EnumeratorState state =
          new EnumeratorState(
              in.readInt(), in.readUTF(), in.readLong(), in.readBoolean(), in.readUTF());
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes after the end of the sample source's state");
      }
      return state;
    }
  }
}
