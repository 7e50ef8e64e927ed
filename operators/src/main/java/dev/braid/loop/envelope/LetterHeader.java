package dev.braid.loop.envelope;

import dev.braid.exchange.message.BodyForm;
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
 * A letter on the wire, but its values: plain numbers, which may be damaged until a checksum has
 * been compared, and make sense only then.
 *
 * @param form what the message says
 * @param route the ranks of the message's route
 * @param length how many values follow
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
    int length) {

  /** Bytes of a header whose route names no ranks. */
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
        BodyForm.of(message.body()),
        transit.generation(),
        transit.number(),
        transit.isLast(),
        transit.acknowledged(),
        ranks(transit.route()),
        message.payload().length());
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
   * The letter.
   *
   * @throws IllegalArgumentException if the numbers make no sense
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
    out.writeBoolean(isLast);
    out.writeLong(acknowledged);
    out.writeByte(route.length);
    for (int rank : route) {
      out.writeInt(rank);
    }
    out.writeInt(length);
  }

  static LetterHeader read(DataInput in) throws IOException {
    return new LetterHeader(
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readLong(),
        readForm(in),
        in.readInt(),
        in.readLong(),
        in.readBoolean(),
        in.readLong(),
        readRanks(in),
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

  /** All numbers, for a checksum. */
  void put(ByteBuffer into) {
    into.putLong(incarnation).putInt(from).putInt(to).putLong(round);
    into.put((byte) form.code()).putInt(form.start()).putInt(form.end());
    into.putLong(form.first()).putLong(form.second());
    into.putInt(generation).putLong(number).put((byte) (isLast ? 1 : 0));
    into.putLong(acknowledged).put((byte) route.length);
    for (int rank : route) {
      into.putInt(rank);
    }
    into.putInt(length);
  }
}
