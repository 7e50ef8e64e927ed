package dev.braid.loop.envelope;

import dev.braid.codec.CorruptPayloadException;
import dev.braid.codec.DenseCodec;
import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.loop.envelope.Envelope.Damaged;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.zip.CRC32C;

/**
 * Writes a letter as bytes, and reads it. The numbers of its {@link Header} come first, big-endian
 * and in the order of {@link Header#put}. The values follow in their encoding, little-endian. If
 * checksums are compared, the CRC-32C (Castagnoli) of header and values comes last.
 *
 * <p>If checksums are compared, all other numbers are interpreted after that. Only those that are
 * needed to read the rest are used before: the number of ranks on the route, the number of bytes of
 * the values, and their encoding. The number of ranks is one byte, so even a damaged one is at most
 * {@link Route#MAX_RANKS}.
 *
 * <p>A message of {@value #MOST_CHUNKS} chunks is the longest that is read. This limits what a
 * header can make the reader allocate. The limit applies to the number of bytes and, because sparse
 * values may take less than one byte each, also to the number of elements.
 */
public final class LetterCodec {

  /** Number of bytes of a header whose route names no ranks. */
  public static final int HEADER_BYTES = Long.BYTES + Message.HEADER_BYTES;

  /** Maximum length of a message, in chunks. */
  public static final int MOST_CHUNKS = ExchangeConfig.SPARSE_CHUNKS;

  private static final int MAX_HEADER_BYTES = HEADER_BYTES + Route.MAX_RANKS * Integer.BYTES;

  /**
   * Number of messages that may wait for their receiver before each further one needs an
   * allocation.
   */
  private static final int POOLED_CHUNKS = 256;

  /** Encoding: every value as a float32. */
  private static final int FLOAT32 = 0;

  /** Encoding: every value as a bfloat16. */
  private static final int BFLOAT16 = 1;

  /** Encoding: only the values that are not 0, as a sparse codec writes them. */
  private static final int SPARSE = 2;

  /** Encoding: every value as a float16, IEEE 754's binary16. */
  private static final int FLOAT16 = 3;

  private static final byte[] NO_BYTES = {};

  private final int mostValues;
  private final boolean checksums;
  private final DenseCodec dense = new DenseCodec();
  private final FloatPool pool;

  /** The numbers of the current letter's header. */
  private final ByteBuffer numbers = ByteBuffer.allocate(MAX_HEADER_BYTES);

  private final CRC32C crc = new CRC32C();

  /** Adds the bytes of values to the checksum, if there is one. */
  private final DenseCodec.Blocks seen;

  /**
   * Creates a codec for letters of at most {@value #MOST_CHUNKS} chunks.
   *
   * @param checksums whether letters carry a checksum
   */
  public LetterCodec(int chunkLength, boolean checksums) {
    this.mostValues =
        (int) Math.min((long) MOST_CHUNKS * chunkLength, Integer.MAX_VALUE / Float.BYTES);
    this.checksums = checksums;
    this.pool = new FloatPool(chunkLength, POOLED_CHUNKS);
    this.seen =
        checksums ? (bytes, length) -> crc.update(bytes, 0, length) : DenseCodec.Blocks.NONE;
  }

  /**
   * The numbers before the values. When they have been read they may be damaged. Except for those
   * that say how to read the rest, they must not be interpreted before the checksum has been
   * compared.
   *
   * @param form the content of the message
   * @param route the ranks of the message's route
   * @param encoding code of the values' encoding
   * @param valueBytes number of bytes of the values that follow
   */
  private record Header(
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

    /** Position of the encoding in the byte of marks, after the bit that marks the last message. */
    private static final int ENCODING_SHIFT = 1;

    private static final int[] NO_RANKS = {};

    static Header of(Letter letter) {
      Message message = letter.message();
      Transit transit = message.transit();
      return new Header(
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

    /** Writes all numbers. */
    void put(ByteBuffer into) {
      into.putLong(incarnation).putInt(from).putInt(to).putLong(round);
      into.put((byte) form.code()).putInt(form.start()).putInt(form.end());
      into.putLong(form.first()).putLong(form.second());
      into.putInt(generation).putLong(number);
      into.put((byte) (encoding << ENCODING_SHIFT | (isLast ? 1 : 0)));
      into.putLong(acknowledged).put((byte) route.length);
      for (int rank : route) {
        into.putInt(rank);
      }
      into.putInt(valueBytes);
    }

    static Header read(DataInput in) throws IOException {
      long incarnation = in.readLong();
      int from = in.readInt();
      int to = in.readInt();
      long round = in.readLong();
      BodyForm form = readForm(in);
      int generation = in.readInt();
      long number = in.readLong();
      int marks = in.readUnsignedByte();
      return new Header(
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
  }

  /** Values that were read, or bytes that are to become values. */
  private record Read(Slice values, byte[] bytes) {}

  // ---- writing ---------------------------------------------------------------------------------

  /** Writes a letter. Its values may change afterwards. */
  public void write(Letter letter, DataOutput out) throws IOException {
    begin(Header.of(letter));
    out.write(numbers.array(), 0, numbers.position());
    writeValues(letter.message().payload(), out);
    if (checksums) {
      out.writeInt((int) crc.getValue());
    }
  }

  /** Fills the buffer with the numbers of a header, and begins the checksum with them. */
  private void begin(Header header) {
    numbers.clear();
    header.put(numbers);
    if (checksums) {
      crc.reset();
      crc.update(numbers.array(), 0, numbers.position());
    }
  }

  private void writeValues(Payload payload, DataOutput out) throws IOException {
    if (payload instanceof Payload.Dense values) {
      dense.write(values.values(), out, seen);
    } else {
      byte[] bytes =
          payload instanceof Payload.Half half
              ? halves(half)
              : ((Payload.Sparse) payload).encoded();
      seen.block(bytes, bytes.length);
      out.write(bytes);
    }
  }

  private static byte[] halves(Payload.Half payload) {
    Slice values = payload.values();
    ByteBuffer bytes =
        ByteBuffer.allocate(Payload.Half.VALUE_BYTES * values.length())
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.length(); i++) {
      bytes.putShort(payload.form().encode(values.array()[values.offset() + i]));
    }
    return bytes.array();
  }

  // ---- reading ---------------------------------------------------------------------------------

  /**
   * Reads a letter, or {@link Damaged} if its checksum is wrong.
   *
   * @throws IOException if the header states more bytes than a message may have, or if the values
   *     are not valid
   */
  public Envelope read(DataInput in) throws IOException {
    Header header = Header.read(in);
    if (checksums) {
      begin(header);
    }
    Read read = readValues(header, in);
    if (checksums && in.readInt() != (int) crc.getValue()) {
      read.values().release();
      return new Damaged();
    }
    return header.letter(payload(header, read));
  }

  /** Reads as many bytes as a header states. */
  private Read readValues(Header header, DataInput in) throws IOException {
    int length = header.valueBytes();
    if (length < 0 || length > Float.BYTES * mostValues) {
      throw new IOException(
          "message of %d bytes of values: must be 0 to %d"
              .formatted(length, Float.BYTES * mostValues));
    }
    if (header.encoding() == FLOAT32 && length % Float.BYTES == 0) {
      Slice values = length == 0 ? Slice.EMPTY : pool.lend(length / Float.BYTES);
      dense.read(values, in, seen);
      return new Read(values, NO_BYTES);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    seen.block(bytes, length);
    return new Read(Slice.EMPTY, bytes);
  }

  private Payload payload(Header header, Read read) throws IOException {
    return switch (header.encoding()) {
      case FLOAT32 -> float32(header, read);
      case BFLOAT16 -> halves(HalfPrecision.BFLOAT16, read.bytes());
      case FLOAT16 -> halves(HalfPrecision.FLOAT16, read.bytes());
      case SPARSE -> sparse(header.form(), read.bytes());
      default -> throw new IOException("values in the unknown encoding " + header.encoding());
    };
  }

  private static Payload float32(Header header, Read read) throws IOException {
    if (read.bytes().length > 0) {
      throw new IOException(header.valueBytes() + " bytes of values: must be a multiple of 4");
    }
    return Payload.of(read.values());
  }

  private Payload halves(HalfPrecision form, byte[] bytes) throws IOException {
    if (bytes.length % Payload.Half.VALUE_BYTES != 0) {
      throw new IOException(bytes.length + " bytes of values: must be a multiple of 2");
    }
    ShortBuffer halves = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
    Slice floats = pool.lend(halves.remaining());
    for (int i = 0; i < floats.length(); i++) {
      floats.array()[floats.offset() + i] = form.decode(halves.get(i));
    }
    return new Payload.Half(form, floats);
  }

  private Payload sparse(BodyForm form, byte[] bytes) throws IOException {
    try {
      return Payload.Sparse.parse(checkedLength(form), bytes);
    } catch (CorruptPayloadException | IllegalArgumentException e) {
      throw new IOException(
          "sparse values of elements %d to %d: %s"
              .formatted(form.start(), form.end(), e.getMessage()),
          e);
    }
  }

  /**
   * Returns the number of elements. Refuses more elements than the longest message has, because an
   * array of that length is created.
   */
  private int checkedLength(BodyForm form) throws IOException {
    long length = (long) form.end() - form.start();
    if (form.start() < 0 || length < 1 || length > mostValues) {
      throw new IOException(
          "sparse values of elements %d to %d: must be 1 to %d elements"
              .formatted(form.start(), form.end(), mostValues));
    }
    return (int) length;
  }
}
