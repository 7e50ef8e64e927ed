package dev.braid.connectors.source;

import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The enumerator's state in a checkpoint: the meaning of positions, and whether the readers have
 * their shares. The positions themselves are in the readers' state.
 *
 * @param unreadable reason why nothing can be restored, if the state is unreadable and has no other
 *     contents
 * @param samples number of samples in an epoch
 * @param held number of further samples that are held out for validation
 * @param data other properties of the samples: their classes and columns, as a short text
 * @param seed seed of the epochs' orders
 * @param dealt whether the readers had their shares
 * @param pace name of what decides how far each reader is
 * @param checksums checksums of the data; empty if it is not compared
 */
public record EnumeratorState(
    Optional<String> unreadable,
    int samples,
    int held,
    String data,
    long seed,
    boolean dealt,
    String pace,
    String checksums) {

  private static final String NAME = "the sample source";
  private static final int VERSION = 6;

  /** Creates a readable state. */
  public EnumeratorState(
      int samples, int held, String data, long seed, boolean dealt, String pace, String checksums) {
    this(Optional.empty(), samples, held, data, seed, dealt, pace, checksums);
  }

  private static EnumeratorState unreadable(String why) {
    return new EnumeratorState(
        Optional.of("the state of the sample source " + why), 0, 0, "", 0, false, "", "");
  }

  /** Returns this state for an enumerator that has dealt the shares, or has not. */
  EnumeratorState withDealt(boolean areDealt) {
    return new EnumeratorState(unreadable, samples, held, data, seed, areDealt, pace, checksums);
  }

  /**
   * Returns the reason why positions of this state are invalid in the current data; empty if they
   * refer to the same samples.
   *
   * @param now the state of an enumerator of the current data
   * @param place location of the current data
   * @param acceptsOthers whether samples may have changed if classes and columns have not
   */
  public Optional<String> difference(EnumeratorState now, String place, boolean acceptsOthers) {
    if (unreadable.isPresent()) {
      return unreadable;
    }
    if (samples + held != now.samples + now.held) {
      return Optional.of(
          "made with %,d training samples, and %s has %,d"
              .formatted(samples + held, place, now.samples + now.held));
    }
    if (held != now.held) {
      return Optional.of(
          "made with %,d samples held out for validation, and not %,d: give the same `validation`"
              .formatted(held, now.held));
    }
    if (!data.equals(now.data)) {
      return Optional.of(
          "made with other classes or columns, or other ones scaled, than %s has".formatted(place));
    }
    if (!acceptsOthers && !checksums.equals(now.checksums)) {
      return Optional.of(
          "made with other samples: their checksums were %s, and %s has %s; give the original data, or accept these samples with `other-data`"
              .formatted(checksums, place, now.checksums));
    }
    return seed == now.seed
        ? Optional.empty()
        : Optional.of("made with `seed` %d, and not %d".formatted(seed, now.seed));
  }

  /**
   * Format version 6: {@code samples} (int), {@code held} (int), {@code data} (UTF), {@code seed}
   * (long), {@code dealt} (boolean), {@code pace} (UTF), {@code checksums} (UTF), and a {@link
   * StateChecksum}.
   *
   * <p>A state that is damaged or has another version is read as an unreadable state. Throwing an
   * exception here would be too early: Flink does not end a job that fails before it runs, so that
   * the job hangs.
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
      out.writeInt(state.held());
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
