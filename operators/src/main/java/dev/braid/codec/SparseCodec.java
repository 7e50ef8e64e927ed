package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Writes the sparse values of a range in as few bytes as it can. Whoever reads them knows the
 * range, and the number of bytes.
 *
 * <pre>
 *   form (2 bits), then
 *   LIST     count (32), k (5); of each value the gap to the one before it, and its 32 bits
 *   SIGNS    count (32), k (5), τ (32); of each value the gap, and a bit for its sign
 *   BITMAP   τ (32); of each element of the range 2 bits: 0, +τ, −τ or −τ/2
 *   DENSE    of each element of the range 32 bits
 * </pre>
 *
 * <p>Gaps are Golomb-Rice coded: {@code gap >> k} in unary, then k bits. Where elements are chosen
 * with equal probability, gaps are geometrically distributed, and the code is within some 3 % of
 * the entropy (Golomb 1966; Rice 1979); Elias-Fano takes about half a bit more for each element,
 * bytes of seven bits two to four bits more. k is the one that makes the list shortest.
 *
 * <p>What is read is checked: indices within the range, no more values than the range has elements,
 * nothing behind the values. Nothing is allocated that is larger than the payload promises in bits.
 * An instance belongs to one thread.
 */
public final class SparseCodec {

  private enum Form {
    LIST(0),
    SIGNS(1),
    BITMAP(2),
    DENSE(3);

    private final int code;

    Form(int code) {
      this.code = code;
    }

    private static Form of(int code) {
      return switch (code) {
        case 0 -> LIST;
        case 1 -> SIGNS;
        case 2 -> BITMAP;
        default -> DENSE;
      };
    }
  }

  private static final int FORM_BITS = 2;
  private static final int COUNT_BITS = 32;
  private static final int K_BITS = 5;
  private static final int MOST_K = 30;
  private static final int BITMAP_BITS = 2;

  private final BitWriter out = new BitWriter();

  /**
   * The bytes of the values whose elements are in a range.
   *
   * @param values those of other elements are left out
   */
  public byte[] encode(SparseValues values, Range range) {
    int from = values.placeOf(range.start());
    int to = values.placeOf(range.end());
    float tau = largest(values, from, to);
    Form form = shortest(values, range, from, to, tau);
    out.clear();
    out.write(form.code, FORM_BITS);
    switch (form) {
      case LIST -> writeList(values, range, from, to);
      case SIGNS -> writeSigns(values, range, from, to, tau);
      case BITMAP -> writeBitmap(values, range, from, to, tau);
      case DENSE -> writeDense(values, range, from, to);
    }
    return out.toBytes();
  }

  private static float largest(SparseValues values, int from, int to) {
    float largest = 0;
    for (int i = from; i < to; i++) {
      largest = Math.max(largest, Math.abs(values.value(i)));
    }
    return largest;
  }

  private static Form shortest(SparseValues values, Range range, int from, int to, float tau) {
    boolean areSigns = true;
    boolean areStates = true;
    for (int i = from; i < to; i++) {
      float value = values.value(i);
      boolean isTau = Math.abs(value) == tau;
      areSigns &= isTau;
      areStates &= isTau || value == -tau / 2;
    }
    long head = FORM_BITS + COUNT_BITS + K_BITS;
    long gaps = gapBits(values, range, from, to, bestK(values, range, from, to));
    long list = head + gaps + (long) Float.SIZE * (to - from);
    long dense = FORM_BITS + (long) Float.SIZE * range.length();
    Form best = list <= dense ? Form.LIST : Form.DENSE;
    long bits = Math.min(list, dense);
    long signs = head + Float.SIZE + gaps + (to - from);
    if (areSigns && tau > 0 && signs < bits) {
      best = Form.SIGNS;
      bits = signs;
    }
    long bitmap = FORM_BITS + Float.SIZE + (long) BITMAP_BITS * range.length();
    return areStates && tau > 0 && bitmap < bits ? Form.BITMAP : best;
  }

  // ---- gaps ------------------------------------------------------------------------------------

  /** Of those next to the logarithm of the mean gap: the sum over gaps is convex in k. */
  private static int bestK(SparseValues values, Range range, int from, int to) {
    if (from == to) {
      return 0;
    }
    int mean = range.length() / (to - from);
    int k = Math.min(MOST_K, Math.max(0, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(mean)));
    int best = k;
    for (int other = Math.max(0, k - 2); other <= Math.min(MOST_K, k + 1); other++) {
      if (gapBits(values, range, from, to, other) < gapBits(values, range, from, to, best)) {
        best = other;
      }
    }
    return best;
  }

  private static long gapBits(SparseValues values, Range range, int from, int to, int k) {
    long bits = 0;
    int last = range.start() - 1;
    for (int i = from; i < to; i++) {
      bits += ((values.index(i) - last - 1) >>> k) + 1 + k;
      last = values.index(i);
    }
    return bits;
  }

  private int writeHead(SparseValues values, Range range, int from, int to) {
    int k = bestK(values, range, from, to);
    out.write(to - from, COUNT_BITS);
    out.write(k, K_BITS);
    return k;
  }

  private void writeGap(int gap, int k) {
    out.writeUnary(gap >>> k);
    out.write(gap, k);
  }

  // ---- forms -----------------------------------------------------------------------------------

  private void writeList(SparseValues values, Range range, int from, int to) {
    int k = writeHead(values, range, from, to);
    int last = range.start() - 1;
    for (int i = from; i < to; i++) {
      writeGap(values.index(i) - last - 1, k);
      out.write(Float.floatToRawIntBits(values.value(i)), Float.SIZE);
      last = values.index(i);
    }
  }

  private void writeSigns(SparseValues values, Range range, int from, int to, float tau) {
    int k = writeHead(values, range, from, to);
    out.write(Float.floatToRawIntBits(tau), Float.SIZE);
    int last = range.start() - 1;
    for (int i = from; i < to; i++) {
      writeGap(values.index(i) - last - 1, k);
      out.write(values.value(i) < 0 ? 1 : 0, 1);
      last = values.index(i);
    }
  }

  private void writeBitmap(SparseValues values, Range range, int from, int to, float tau) {
    out.write(Float.floatToRawIntBits(tau), Float.SIZE);
    int place = from;
    for (int index = range.start(); index < range.end(); index++) {
      boolean isThere = place < to && values.index(place) == index;
      out.write(isThere ? state(values.value(place++), tau) : 0, BITMAP_BITS);
    }
  }

  private static int state(float value, float tau) {
    if (value == tau) {
      return 1;
    }
    return value == -tau ? 2 : 3;
  }

  private void writeDense(SparseValues values, Range range, int from, int to) {
    int place = from;
    for (int index = range.start(); index < range.end(); index++) {
      boolean isThere = place < to && values.index(place) == index;
      out.write(isThere ? Float.floatToRawIntBits(values.value(place++)) : 0, Float.SIZE);
    }
  }

  // ---- reading ---------------------------------------------------------------------------------

  /**
   * Reads the values of a range.
   *
   * @param into what was read; its former values are forgotten
   * @throws CorruptPayloadException if these are not the bytes of such values
   */
  public static void decode(byte[] bytes, Range range, SparseValues into) {
    into.clear();
    BitReader in = new BitReader(bytes);
    switch (Form.of(in.read(FORM_BITS))) {
      case LIST -> readGaps(in, range, Float.SIZE, into);
      case SIGNS -> readGaps(in, range, 1, into);
      case BITMAP -> readBitmap(in, range, into);
      case DENSE -> readDense(in, range, into);
    }
    in.end();
  }

  /**
   * Reads values behind their gaps.
   *
   * @param valueBits 32, or 1 if there is a sign of each and a threshold before all
   */
  private static void readGaps(BitReader in, Range range, int valueBits, SparseValues into) {
    int count = in.read(COUNT_BITS);
    int k = in.read(K_BITS);
    float tau = valueBits == 1 ? threshold(in.read(Float.SIZE)) : 0;
    // Of each value a gap takes one bit at least: a count that is too large is no reason to go on.
    if (count < 0 || count > range.length() || (long) count * (1 + k + valueBits) > in.bitsLeft()) {
      throw new CorruptPayloadException(
          count + " values for " + range + " in " + in.bitsLeft() + " bits");
    }
    long index = range.start() - 1L;
    for (int i = 0; i < count; i++) {
      long gap = ((long) in.readUnary(range.length() >>> k) << k) + in.read(k);
      index += 1 + gap;
      if (index >= range.end()) {
        throw new CorruptPayloadException("element " + index + " is beyond " + range);
      }
      int bits = in.read(valueBits);
      float value = valueBits == 1 ? (bits == 1 ? -tau : tau) : Float.intBitsToFloat(bits);
      into.put((int) index, value);
    }
  }

  private static float threshold(int bits) {
    float tau = Float.intBitsToFloat(bits);
    if (!(tau > 0) || Float.isInfinite(tau)) {
      throw new CorruptPayloadException("a threshold of " + tau);
    }
    return tau;
  }

  private static void readBitmap(BitReader in, Range range, SparseValues into) {
    float tau = threshold(in.read(Float.SIZE));
    for (int index = range.start(); index < range.end(); index++) {
      switch (in.read(BITMAP_BITS)) {
        case 0 -> {}
        case 1 -> into.put(index, tau);
        case 2 -> into.put(index, -tau);
        default -> into.put(index, -tau / 2);
      }
    }
  }

  /** Elements whose bits are 0 are those that had no value. */
  private static void readDense(BitReader in, Range range, SparseValues into) {
    if ((long) Float.SIZE * range.length() > in.bitsLeft()) {
      throw new CorruptPayloadException(range + " in " + in.bitsLeft() + " bits");
    }
    for (int index = range.start(); index < range.end(); index++) {
      int bits = in.read(Float.SIZE);
      if (bits != 0) {
        into.put(index, Float.intBitsToFloat(bits));
      }
    }
  }
}
