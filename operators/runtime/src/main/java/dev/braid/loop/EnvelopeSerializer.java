package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.Pace;
import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.loop.envelope.Envelope.RoundSeen;
import dev.braid.loop.envelope.Envelope.RoundsBegin;
import dev.braid.loop.envelope.LetterCodec;
import dev.braid.wire.SerializedType;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serialises envelopes for Flink's network: a byte for the kind of envelope, then its content. A
 * {@code LetterCodec} writes the content of letters. Values that are read are lent by a pool of
 * this instance; the receiver's release returns them.
 */
public final class EnvelopeSerializer extends TypeSerializer<Envelope> {

  private static final long serialVersionUID = 1L;

  private static final byte GREETING = 1;
  private static final byte LETTER = 2;

  private static final byte PACE = 3;
  private static final byte PATH_PROBE = 4;
  private static final byte ROUNDS_BEGIN = 5;
  private static final byte ROUND_SEEN = 6;

  /** Number of bytes before the values of a letter whose route names no ranks. */
  public static final int HEADER_BYTES = 1 + LetterCodec.HEADER_BYTES;

  /** Upper bound of a record's bytes besides its values. */
  private static final int ENVELOPE_BYTES = 256;

  private static final int PARTS_OF_A_BUFFER = 4;

  /** Chunk length for a buffer of one mebibyte: larger buffers do not make larger messages. */
  public static final int LONGEST_CHUNK = chunkLength(1 << 20);

  private final int chunkLength;
  private final boolean checksums;
  private transient LetterCodec letters;

  /**
   * Creates a serializer for messages of at most {@code chunkLength} values.
   *
   * @param chunkLength maximum number of values: a message that states more is refused. If its
   *     values may be sparse, the maximum is {@value LetterCodec#MOST_CHUNKS} times as large
   * @param checksums whether letters carry a checksum; a letter with a wrong checksum is read as
   *     {@link Envelope.Damaged}
   */
  public EnvelopeSerializer(int chunkLength, boolean checksums) {
    this.chunkLength = chunkLength;
    this.checksums = checksums;
  }

  /** Creates a serializer for messages without checksums. */
  public EnvelopeSerializer(int chunkLength) {
    this(chunkLength, false);
  }

  /** Returns Flink's type of envelopes, with such a {@linkplain #EnvelopeSerializer serializer}. */
  public static SerializedType<Envelope> type(int chunkLength, boolean checksums) {
    return new SerializedType<>(Envelope.class, new EnvelopeSerializer(chunkLength, checksums));
  }

  /**
   * Returns the best number of values in a message.
   *
   * <p>Records follow each other in Flink's network buffers without a gap. The receiver assembles a
   * record that does not fit into the rest of its buffer in an array that is allocated for this
   * record only, which costs more than all the copying. This happens to every record that fills a
   * buffer, but only to every fourth record that fills a quarter of one.
   *
   * @param bufferBytes size of a network buffer in bytes ({@code taskmanager.memory.segment-size})
   */
  public static int chunkLength(int bufferBytes) {
    return (bufferBytes / PARTS_OF_A_BUFFER - ENVELOPE_BYTES) / Float.BYTES;
  }

  /** Returns the bytes on the wire of a letter with this message, without its checksum. */
  public static long bytes(Message message) {
    return HEADER_BYTES - Message.HEADER_BYTES + message.bytes();
  }

  @Override
  public void serialize(Envelope envelope, DataOutputView out) throws IOException {
    if (envelope instanceof Letter letter) {
      out.writeByte(LETTER);
      letters().write(letter, out);
    } else if (envelope instanceof Greeting greeting) {
      write(greeting, out);
    } else if (envelope instanceof Pace pace) {
      out.writeByte(PACE);
      out.writeInt(pace.to());
      out.writeDouble(pace.slowdown());
    } else if (envelope instanceof PathProbe probe) {
      out.writeByte(PATH_PROBE);
      out.writeInt(probe.from());
      out.writeInt(probe.to());
      out.writeLong(probe.checkpoint());
    } else if (envelope instanceof RoundsBegin begin) {
      out.writeByte(ROUNDS_BEGIN);
      out.writeInt(begin.to());
    } else if (envelope instanceof RoundSeen seen) {
      out.writeByte(ROUND_SEEN);
      out.writeInt(seen.to());
      out.writeLong(seen.round());
    } else {
      throw new IOException("an envelope that must not be sent over the network: " + envelope);
    }
  }

  private static void write(Greeting greeting, DataOutputView out) throws IOException {
    out.writeByte(GREETING);
    out.writeInt(greeting.to());
    out.writeLong(greeting.edge());
    out.writeUTF(greeting.jvm());
    out.writeUTF(greeting.host());
  }

  @Override
  public Envelope deserialize(DataInputView in) throws IOException {
    byte type = in.readByte();
    return switch (type) {
      case LETTER -> letters().read(in);
      case GREETING -> new Greeting(in.readInt(), in.readLong(), in.readUTF(), in.readUTF());
      case PACE -> new Pace(in.readInt(), in.readDouble());
      case PATH_PROBE -> new PathProbe(in.readInt(), in.readInt(), in.readLong());
      case ROUNDS_BEGIN -> new RoundsBegin(in.readInt());
      case ROUND_SEEN -> new RoundSeen(in.readInt(), in.readLong());
      default -> throw new IOException("envelope of unknown type " + type);
    };
  }

  private LetterCodec letters() {
    if (letters == null) {
      letters = new LetterCodec(chunkLength, checksums);
    }
    return letters;
  }

  @Override
  public Envelope copy(Envelope from) {
    if (from instanceof Letter letter) {
      Message m = letter.message();
      return new Letter(letter.incarnation(), m.withPayload(m.payload().copy()));
    }
    return from;
  }

  @Override
  public Envelope copy(Envelope from, Envelope reuse) {
    return copy(from);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    Envelope envelope = deserialize(source);
    serialize(envelope, target);
    if (envelope instanceof Letter letter) {
      letter.message().release();
    }
  }

  @Override
  public Envelope deserialize(Envelope reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public Envelope createInstance() {
    return new Greeting(0, 0, "", "");
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Envelope> duplicate() {
    return new EnvelopeSerializer(chunkLength, checksums);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EnvelopeSerializer that
        && that.chunkLength == chunkLength
        && that.checksums == checksums;
  }

  @Override
  public int hashCode() {
    return Objects.hash(chunkLength, checksums);
  }

  /**
   * Returns the snapshot of this serializer. Envelopes are never part of a checkpoint: the loop is
   * empty when one is taken.
   */
  @Override
  public TypeSerializerSnapshot<Envelope> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The snapshot that Flink requires of every serializer; it contains only the class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Envelope> {
    public Snapshot() {
      super(() -> new EnvelopeSerializer(1));
    }
  }
}
