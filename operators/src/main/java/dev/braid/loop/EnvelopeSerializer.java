package dev.braid.loop;

import dev.braid.codec.DenseCodec;
import dev.braid.exchange.Message;
import dev.braid.exchange.Route;
import dev.braid.exchange.Transit;
import dev.braid.loop.Envelope.Greeting;
import dev.braid.loop.Envelope.Letter;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Envelopes on the wire: a fixed header, then the values in bulk. What is read in is lent by a pool
 * of this instance, to which the receiver's release gives it back.
 */
public final class EnvelopeSerializer extends TypeSerializer<Envelope> {

  private static final long serialVersionUID = 1L;

  private static final byte GREETING = 1;
  private static final byte LETTER = 2;

  private static final int TRANSIT_BYTES = 4 + 8 + 8 + 1;

  /** Bytes of a letter that is not passed on, before its values. */
  public static final int HEADER_BYTES = 1 + 8 + 4 + 4 + 1 + 8 + 4 + 4 + 8 + TRANSIT_BYTES + 4;

  private final int chunkLength;
  private transient DenseCodec codec;
  private transient FloatPool pool;

  /**
   * A serializer for messages of at most {@code chunkLength} values.
   *
   * @param chunkLength a message that says it is longer is refused
   */
  public EnvelopeSerializer(int chunkLength) {
    this.chunkLength = chunkLength;
  }

  @Override
  public void serialize(Envelope envelope, DataOutputView out) throws IOException {
    if (envelope instanceof Letter letter) {
      write(letter, out);
    } else if (envelope instanceof Greeting greeting) {
      write(greeting, out);
    }
  }

  private void write(Letter letter, DataOutputView out) throws IOException {
    Message message = letter.message();
    out.writeByte(LETTER);
    out.writeLong(letter.incarnation());
    out.writeInt(message.from());
    out.writeInt(message.to());
    out.writeByte(message.kind().code());
    out.writeLong(message.round());
    out.writeInt(message.range().start());
    out.writeInt(message.range().end());
    out.writeLong(message.samples());
    write(message.transit(), out);
    out.writeInt(message.values().length());
    codec().write(message.values(), out);
  }

  private static void write(Transit transit, DataOutputView out) throws IOException {
    out.writeInt(transit.generation());
    out.writeLong(transit.number());
    out.writeLong(transit.acknowledged());
    Route route = transit.route();
    out.writeByte(route.size());
    for (int i = 0; i < route.size(); i++) {
      out.writeInt(route.rank(i));
    }
  }

  private static void write(Greeting greeting, DataOutputView out) throws IOException {
    LoopKey worker = greeting.worker();
    out.writeByte(GREETING);
    out.writeInt(greeting.to());
    out.writeUTF(worker.job());
    out.writeUTF(worker.loop());
    out.writeInt(worker.subtask());
    out.writeInt(worker.attempt());
    out.writeUTF(greeting.jvm());
    out.writeUTF(greeting.host());
  }

  @Override
  public Envelope deserialize(DataInputView in) throws IOException {
    byte type = in.readByte();
    return switch (type) {
      case LETTER -> readLetter(in);
      case GREETING ->
          new Greeting(
              in.readInt(),
              new LoopKey(in.readUTF(), in.readUTF(), in.readInt(), in.readInt()),
              in.readUTF(),
              in.readUTF());
      default -> throw new IOException("envelope of unknown type " + type);
    };
  }

  private Letter readLetter(DataInputView in) throws IOException {
    long incarnation = in.readLong();
    int from = in.readInt();
    int to = in.readInt();
    Message.Kind kind = Message.Kind.ofCode(in.readUnsignedByte());
    long round = in.readLong();
    Range range = new Range(in.readInt(), in.readInt());
    long samples = in.readLong();
    Transit transit = readTransit(in);
    return new Letter(
        incarnation, new Message(from, to, kind, round, range, samples, readValues(in), transit));
  }

  private static Transit readTransit(DataInputView in) throws IOException {
    int generation = in.readInt();
    long number = in.readLong();
    long acknowledged = in.readLong();
    int[] ranks = new int[in.readUnsignedByte()];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = in.readInt();
    }
    Route route = Route.of(ranks);
    boolean plain = generation == 0 && number == 0 && acknowledged == 0 && route.isDirect();
    return plain ? Transit.NONE : new Transit(generation, number, acknowledged, route);
  }

  private Slice readValues(DataInputView in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > chunkLength) {
      throw new IOException(
          "message of " + length + " values: from 0 to " + chunkLength + " are possible");
    }
    if (length == 0) {
      return Slice.EMPTY;
    }
    Slice values = pool().lend(length);
    codec().read(values, in);
    return values;
  }

  private DenseCodec codec() {
    if (codec == null) {
      codec = new DenseCodec();
    }
    return codec;
  }

  private FloatPool pool() {
    if (pool == null) {
      pool = new FloatPool(chunkLength, 64);
    }
    return pool;
  }

  @Override
  public Envelope copy(Envelope from) {
    if (from instanceof Letter letter) {
      Message m = letter.message();
      Slice values = Slice.view(m.values().toArray(), 0, m.values().length());
      return new Letter(letter.incarnation(), m.withValues(values));
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
      letter.message().values().release();
    }
  }

  @Override
  public Envelope deserialize(Envelope reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public Envelope createInstance() {
    return new Greeting(0, new LoopKey("", "", 0, 0), "", "");
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Envelope> duplicate() {
    return new EnvelopeSerializer(chunkLength);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EnvelopeSerializer that && that.chunkLength == chunkLength;
  }

  @Override
  public int hashCode() {
    return Objects.hash(chunkLength);
  }

  /** Envelopes are never part of a checkpoint: the loop is empty when one is taken. */
  @Override
  public TypeSerializerSnapshot<Envelope> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Flink asks every serializer for a snapshot; this one says no more than the class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Envelope> {
    public Snapshot() {
      super(() -> new EnvelopeSerializer(1));
    }
  }
}
