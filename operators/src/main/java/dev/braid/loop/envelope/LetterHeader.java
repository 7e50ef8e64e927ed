package dev.braid.loop.envelope;

import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.loop.envelope.Envelope.Letter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A letter on the wire without its values: plain numbers, which may be damaged, and must not be
 * interpreted before the checksum has been compared.
 *
 * @param form the content of the message
 * @param route the ranks of the message's route
 * @param encoding code of the values' encoding
 * @param valueBytes number of bytes of the values that follow
 */
record LetterHeader(
    long incarnation,
    int from,
    int to,
    long round,
    BodyForm form,
    int generation,
    long number,
    boolean isLast,
    long acknowledged,
    int[] route,
    int encoding,
    int valueBytes) {

  /** Encoding: every value as a float32. */
  static final int FLOAT32 = 0;

  /** Encoding: every value as a bfloat16. */
  static final int BFLOAT16 = 1;

  /** Encoding: only the values that are not 0, as a sparse codec writes them. */
  static final int SPARSE = 2;

  /** Encoding: every value as a float16, IEEE 754's binary16. */
  static final int FLOAT16 = 3;

  /** Position of the encoding in the byte of marks, after the bit that marks the last message. */
  private static final int ENCODING_SHIFT = 1;

  /** Number of bytes of a header whose route names no ranks. */
  static final int BYTES = Long.BYTES + Message.HEADER_BYTES;

  static final int MAX_BYTES = BYTES + Route.MAX_RANKS * Integer.BYTES;

  private static final int[] NO_RANKS = {};

  static LetterHeader of(Letter letter) {
    Message message = letter.message();
    Transit transit = message.transit();
    return new LetterHeader(
        letter.incarnation(),
        message.from(),
        message.to(),
        message.round(),
        message.body().form(),
        transit.generation(),
        transit.number(),
        transit.isLast(),
        transit.acknowledged(),
        ranks(transit.route()),
        encoding(message.payload()),
        Math.toIntExact(message.payload().bytes()));
  }

  private static int encoding(Payload payload) {
    if (payload instanceof Payload.Sparse) {
      return SPARSE;
    }
    return payload instanceof Payload.Half half ? encoding(half.form()) : FLOAT32;
  }

  private static int encoding(HalfPrecision form) {
    return switch (form) {
      case BFLOAT16 -> BFLOAT16;
      case FLOAT16 -> FLOAT16;
    };
  }

  private byte marks() {
    return (byte) (encoding << ENCODING_SHIFT | (isLast ? 1 : 0));
  }

  private static int[] ranks(Route route) {
    if (route.isDirect()) {
      return NO_RANKS;
    }
    int[] ranks = new int[route.size()];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = route.rank(i);
    }
    return ranks;
  }

  /**
   * Returns the letter.
   *
   * @throws IllegalArgumentException if the numbers are not valid
   */
  Letter letter(Payload payload) {
    boolean plain =
        generation == 0 && number == 0 && !isLast && acknowledged == 0 && route.length == 0;
    Transit transit =
        plain
            ? Transit.NONE
            : new Transit(generation, number, isLast, acknowledged, Route.of(route));
    return new Letter(incarnation, new Message(from, to, round, transit, form.body(payload)));
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(incarnation);
    out.writeInt(from);
    out.writeInt(to);
    out.writeLong(round);
    out.writeByte(form.code());
    out.writeInt(form.start());
    out.writeInt(form.end());
    out.writeLong(form.first());
    out.writeLong(form.second());
    out.writeInt(generation);
    out.writeLong(number);
    out.writeByte(marks());
    out.writeLong(acknowledged);
    out.writeByte(route.length);
    for (int rank : route) {
      out.writeInt(rank);
    }
    out.writeInt(valueBytes);
  }

  static LetterHeader read(DataInput in) throws IOException {
    long incarnation = in.readLong();
    int from = in.readInt();
    int to = in.readInt();
    long round = in.readLong();
    BodyForm form = readForm(in);
    int generation = in.readInt();
    long number = in.readLong();
    int marks = in.readUnsignedByte();
    return new LetterHeader(
        incarnation,
        from,
        to,
        round,
        form,
        generation,
        number,
        (marks & 1) != 0,
        in.readLong(),
        readRanks(in),
        marks >>> ENCODING_SHIFT,
        in.readInt());
  }

  private static BodyForm readForm(DataInput in) throws IOException {
    return new BodyForm(
        in.readUnsignedByte(), in.readInt(), in.readInt(), in.readLong(), in.readLong());
  }

  private static int[] readRanks(DataInput in) throws IOException {
    int count = in.readUnsignedByte();
    if (count == 0) {
      return NO_RANKS;
    }
    int[] ranks = new int[count];
    for (int i = 0; i < count; i++) {
      ranks[i] = in.readInt();
    }
    return ranks;
  }

  /** Writes all numbers, for a checksum. */
  void put(ByteBuffer into) {
    into.putLong(incarnation).putInt(from).putInt(to).putLong(round);
    into.put((byte) form.code()).putInt(form.start()).putInt(form.end());
    into.putLong(form.first()).putLong(form.second());
    into.putInt(generation).putLong(number).put(marks());
    into.putLong(acknowledged).put((byte) route.length);
    for (int rank : route) {
      into.putInt(rank);
    }
    into.putInt(valueBytes);
  }
}
