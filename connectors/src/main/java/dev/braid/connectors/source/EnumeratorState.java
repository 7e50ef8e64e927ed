package dev.braid.connectors.source;

import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What the enumerator keeps in a checkpoint: what positions mean, and whether the readers have
 * their shares. The positions themselves are with the readers.
 *
 * @param unreadable why nothing can be restored from it, if it has nothing else
 * @param samples how many samples an epoch has
 * @param data what the samples are besides: their classes and columns, in a few letters
 * @param seed the seed of the epochs' orders
 * @param dealt whether the readers had their shares
 * @param pace what decides which reader is how far, by name
 * @param checksums of the data; empty where it is not compared
 */
public record EnumeratorState(
    Optional<String> unreadable,
    int samples,
    String data,
    long seed,
    boolean dealt,
    String pace,
    String checksums) {

  private static final String NAME = "the sample source";
  private static final int VERSION = 5;

  /** One that is whole. */
  public EnumeratorState(
      int samples, String data, long seed, boolean dealt, String pace, String checksums) {
    this(Optional.empty(), samples, data, seed, dealt, pace, checksums);
  }

  private static EnumeratorState unreadable(String why) {
    return new EnumeratorState(
        Optional.of("the state of the sample source " + why), 0, "", 0, false, "", "");
  }

  /**
   * Version 5: {@code samples} (int), {@code data} (UTF), {@code seed} (long), {@code dealt}
   * (boolean), {@code pace} (UTF), {@code checksums} (UTF), and a {@link StateChecksum}.
   *
   * <p>A state that is damaged or of another version is read as one that is unreadable. To fail
   * here would be too early: Flink does not end a job that fails before it runs, which then hangs.
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
      out.writeUTF(state.checksums());
      return StateChecksum.sealed(out.getCopyOfBuffer());
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) {
      if (version != VERSION) {
        return unreadable(
            "is in version %d of its format: this Braid reads %d".formatted(version, VERSION));
      }
      try {
        return read(StateChecksum.open(NAME, serialized));
      } catch (IOException e) {
        return unreadable("cannot be read: " + e.getMessage());
      }
    }

    private static EnumeratorState read(DataInputStream in) throws IOException {
      EnumeratorState state =
          new EnumeratorState(
              in.readInt(),
              in.readUTF(),
              in.readLong(),
              in.readBoolean(),
              in.readUTF(),
              in.readUTF());
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes after its end");
      }
      return state;
    }
  }
}
