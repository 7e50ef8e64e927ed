package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Optional;

/**
 * Encodes the sparse values of a range in as few bytes as it can. The reader ({@link SparseReader})
 * must know the range's length and the number of bytes.
 *
 * <pre>
 *   form (3 bits), then
 *   LIST     count (32), k (5); of each value the gap to the one before it, and its 32 bits
 *   SIGNS    count (32), k (5), τ (32); of each value the gap, and a bit for its sign
 *   PALETTE  count (32), k (5), c − 1 (8), c values (32 each); of each value the gap, and which of
 *            the c values it is, in as few bits as c values need
 *   BITMAP   τ (32); of each element of the range 2 bits: 0, +τ, −τ or −τ/2
 *   DENSE    of each element of the range 32 bits
 *   BLOCKS   of each 64 elements k (5): 30 if they have no values, 31 if they have 32 bits each;
 *            else the exponent of the unit (9, from −149), and of each element how many units it is
 * </pre>
 *
 * <p>One gradient takes the form SIGNS. The palette is for sums of several gradients, in which a
 * few values recur: multiples of the same τ. Blocks are for what a {@link LevelQuantizer} takes,
 * and for sums of it.
 *
 * <p>Gaps are Golomb-Rice coded: {@code gap >> k} in unary, then k bits. If elements are chosen
 * with equal probability, gaps are geometrically distributed, and the code is within about 3 % of
 * the entropy (Golomb 1966; Rice 1979). Elias-Fano takes about half a bit more for each element,
 * and bytes of seven bits take two to four bits more. The encoder chooses the k that makes the list
 * shortest.
 *
 * <p>An instance belongs to one thread.
 */
public final class SparseCodec {

  enum Form {
    LIST(0),
    SIGNS(1),
    BITMAP(2),
    DENSE(3),
    PALETTE(4),
    BLOCKS(5);

    private final int code;

    Form(int code) {
      this.code = code;
    }

    static Form of(int code) {
      return switch (code) {
        case 0 -> LIST;
        case 1 -> SIGNS;
        case 2 -> BITMAP;
        case 3 -> DENSE;
        case 4 -> PALETTE;
        case 5 -> BLOCKS;
        default ->
            throw new CorruptPayloadException("form " + code + " of sparse values: must be 0 to 5");
      };
    }
  }

  static final int FORM_BITS = 3;
  static final int COUNT_BITS = 32;
  static final int K_BITS = 5;
  static final int PALETTE_BITS = 8;
  static final int BITMAP_BITS = 2;
  private static final int MOST_K = 30;

  /** Blocks are tried if one in this many elements has a value, or more. */
  private static final int BLOCKS_DENSITY = 8;

  /** Blocks of up to this many bits per element are used, even if another form were shorter. */
  private static final int SHORT_BLOCKS_BITS = 5;

  private final BitWriter out = new BitWriter();
  private final SparseValues gathered = new SparseValues(0);
  private final Palette palette = new Palette(1 << PALETTE_BITS);
  private final FixedPointBlock block = new FixedPointBlock();

  /**
   * Encodes the elements of a range that are not 0; a −0 is not 0 here.
   *
   * @return the bytes, or empty if they would not be fewer than those of all elements as float32
   */
  public Optional<byte[]> encodeIfShorter(float[] vector, Range range) {
    gathered.gather(vector, range);
    byte[] bytes = encode(gathered, range, 0, gathered.size());
    return bytes.length < (long) Float.BYTES * range.length()
        ? Optional.of(bytes)
        : Optional.empty();
  }

  /**
   * Encodes the values whose elements are in a range.
   *
   * @param values may have elements outside the range, which are ignored
   */
  public byte[] encode(SparseValues values, Range range) {
    int from = values.placeOf(range.start());
    int to = values.placeOf(range.end());
    return encode(values, range, from, to);
  }

  private byte[] encode(SparseValues values, Range range, int from, int to) {
    float tau = largest(values, from, to);
    long ofBlocks = Long.MAX_VALUE;
    if ((long) BLOCKS_DENSITY * (to - from) >= range.length()
        && !areStates(values, from, to, tau)) {
      ofBlocks = begin(Form.BLOCKS).writeBlocks(values, range, from, to);
      if (ofBlocks <= (long) SHORT_BLOCKS_BITS * range.length()) {
        return out.toBytes();
      }
    }
    Form form = shortest(values, range, from, to, tau, ofBlocks);
    begin(form);
    switch (form) {
      case LIST -> writeList(values, range, from, to);
      case SIGNS -> writeSigns(values, range, from, to, tau);
      case BITMAP -> writeBitmap(values, range, from, to, tau);
      case DENSE -> writeDense(values, range, from, to);
      case PALETTE -> writePalette(values, range, from, to);
      case BLOCKS -> writeBlocks(values, range, from, to);
    }
    return out.toBytes();
  }

  private SparseCodec begin(Form form) {
    out.clear();
    out.write(form.code, FORM_BITS);
    return this;
  }

  private static float largest(SparseValues values, int from, int to) {
    float largest = 0;
    for (int i = from; i < to; i++) {
      largest = Math.max(largest, Math.abs(values.value(i)));
    }
    return largest;
  }

  private static boolean areStates(SparseValues values, int from, int to, float tau) {
    // An infinite value is no threshold: it is sent as it is, and ends the training of the rank
    // that adds it up.
    boolean areStates = tau > 0 && Float.isFinite(tau);
    for (int i = from; areStates && i < to; i++) {
      float value = values.value(i);
      areStates = Math.abs(value) == tau || value == -tau / 2;
    }
    return areStates;
  }

  /**
   * Returns the shortest form of values. Afterwards, the palette is that of the values.
   *
   * @param tau largest absolute value
   * @param ofBlocks number of bits in blocks
   */
  private Form shortest(
      SparseValues values, Range range, int from, int to, float tau, long ofBlocks) {
    palette.collect(values, from, to);
    boolean areStates = areStates(values, from, to, tau);
    boolean areSigns = areStates;
    for (int i = from; areSigns && i < to; i++) {
      areSigns = Math.abs(values.value(i)) == tau;
    }
    long head = FORM_BITS + COUNT_BITS + K_BITS;
    long gaps = gapBits(values, range, from, to, bestK(values, range, from, to));
    long list = head + gaps + (long) Float.SIZE * (to - from);
    long dense = FORM_BITS + (long) Float.SIZE * range.length();
    Form best = list <= dense ? Form.LIST : Form.DENSE;
    long bits = Math.min(list, dense);
    long signs = head + Float.SIZE + gaps + (to - from);
    if (areSigns && signs < bits) {
      best = Form.SIGNS;
      bits = signs;
    }
    long indices = head + PALETTE_BITS + gaps + palette.bits(to - from);
    if (palette.isComplete() && to > from && indices < bits) {
      best = Form.PALETTE;
      bits = indices;
    }
    long bitmap = FORM_BITS + Float.SIZE + (long) BITMAP_BITS * range.length();
    if (areStates && bitmap < bits) {
      best = Form.BITMAP;
      bits = bitmap;
    }
    return ofBlocks < bits ? Form.BLOCKS : best;
  }

  // ---- gaps ------------------------------------------------------------------------------------

  /**
   * Returns the k that makes the gaps shortest, among those near the logarithm of the mean gap: the
   * total length is convex in k.
   */
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

  private void writePalette(SparseValues values, Range range, int from, int to) {
    int k = writeHead(values, range, from, to);
    out.write(palette.size() - 1, PALETTE_BITS);
    for (int i = 0; i < palette.size(); i++) {
      out.write(palette.valueBits(i), Float.SIZE);
    }
    int last = range.start() - 1;
    for (int i = from; i < to; i++) {
      writeGap(values.index(i) - last - 1, k);
      out.write(palette.indexOf(values.value(i)), palette.indexBits());
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

  /** Writes all blocks, and returns the number of bits written in all. */
  private long writeBlocks(SparseValues values, Range range, int from, int to) {
    int place = from;
    for (int i = 0; i < range.chunks(FixedPointBlock.LENGTH); i++) {
      Range elements = range.chunk(i, FixedPointBlock.LENGTH);
      place = block.set(values, place, to, elements);
      block.write(out);
    }
    return out.bits();
  }

  /**
   * Decodes the values of a range.
   *
   * @param into receives the values; its former values are discarded
   * @throws CorruptPayloadException if the bytes do not encode values of this range
   */
  public static void decode(byte[] bytes, Range range, SparseValues into) {
    new SparseReader(bytes, range).collect(into);
  }
}
