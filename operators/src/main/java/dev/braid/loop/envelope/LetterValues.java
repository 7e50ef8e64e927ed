package dev.braid.loop.envelope;

import dev.braid.codec.CorruptPayloadException;
import dev.braid.codec.DenseCodec;
import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/**
 * Reads and writes a letter's values on the wire, which follow its header. If checksums are
 * compared, the input is interpreted only after that; until then it is a number of bytes, as many
 * as the header states.
 *
 * <p>Allocations are bounded by the largest valid header. The limit applies to the bytes and,
 * because sparse values may take less than one byte each, to the number of elements.
 */
final class LetterValues {

  /** Maximum length of a message, in chunks. */
  static final int MOST_CHUNKS = ExchangeConfig.SPARSE_CHUNKS;

  /**
   * Number of messages that may wait for their receiver before each further one needs an
   * allocation.
   */
  private static final int POOLED_CHUNKS = 256;

  private final int mostValues;
  private final DenseCodec codec = new DenseCodec();
  private final FloatPool pool;

  LetterValues(int chunkLength) {
    this.mostValues =
        (int) Math.min((long) MOST_CHUNKS * chunkLength, Integer.MAX_VALUE / Float.BYTES);
    this.pool = new FloatPool(chunkLength, POOLED_CHUNKS);
  }

  /** Values that were read, or bytes that are to become values. */
  record Read(Slice values, byte[] bytes, FloatPool pool, int mostValues) {

    private static final byte[] NO_BYTES = {};

    /** Releases the values, which are not needed. */
    void release() {
      values.release();
    }

    /**
     * Returns the values that belong to this header.
     *
     * @throws IOException if they are not valid values of its range
     */
    Payload payload(LetterHeader header) throws IOException {
      return switch (header.encoding()) {
        case LetterHeader.FLOAT32 -> float32(header);
        case LetterHeader.BFLOAT16 -> halves(HalfPrecision.BFLOAT16);
        case LetterHeader.FLOAT16 -> halves(HalfPrecision.FLOAT16);
        case LetterHeader.SPARSE -> sparse(header.form());
        default -> throw new IOException("values in the unknown encoding " + header.encoding());
      };
    }

    private Payload float32(LetterHeader header) throws IOException {
      if (bytes.length > 0) {
        throw new IOException(header.valueBytes() + " bytes of values: must be a multiple of 4");
      }
      return Payload.of(values);
    }

    private Payload halves(HalfPrecision form) throws IOException {
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

    private Payload sparse(BodyForm form) throws IOException {
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
     * Returns the number of elements. Refuses more elements than the longest message has, because
     * an array of that length is created.
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

  void write(Payload payload, DataOutput out, DenseCodec.Blocks seen) throws IOException {
    if (payload instanceof Payload.Dense dense) {
      codec.write(dense.values(), out, seen);
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

  /**
   * Reads as many bytes as a header states.
   *
   * @throws IOException if the header states more bytes than a message may have
   */
  Read read(LetterHeader header, DataInput in, DenseCodec.Blocks seen) throws IOException {
    int length = header.valueBytes();
    if (length < 0 || length > Float.BYTES * mostValues) {
      throw new IOException(
          "message of %d bytes of values: must be 0 to %d"
              .formatted(length, Float.BYTES * mostValues));
    }
    if (header.encoding() == LetterHeader.FLOAT32 && length % Float.BYTES == 0) {
      Slice values = length == 0 ? Slice.EMPTY : pool.lend(length / Float.BYTES);
      codec.read(values, in, seen);
      return new Read(values, Read.NO_BYTES, pool, mostValues);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    seen.block(bytes, length);
    return new Read(Slice.EMPTY, bytes, pool, mostValues);
  }
}
