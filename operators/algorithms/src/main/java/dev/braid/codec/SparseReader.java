package dev.braid.codec;

import dev.braid.codec.SparseCodec.Form;
import dev.braid.vector.Range;

/**
 * Reads the output of a {@link SparseCodec}, once.
 *
 * <p>The input is checked: indices must be within the range, there must be no more values than the
 * range has elements, and nothing may follow the values. A count for which there are too few bits
 * is refused before it is used. So no input makes the reader allocate more than its own size.
 */
public final class SparseReader {

  private enum Use {
    CHECK,
    COLLECT,
    ADD,
    SET
  }

  private static final float[] NO_VECTOR = {};

  private final BitReader in;
  private final Range range;

  private Use use = Use.CHECK;
  private float[] vector = NO_VECTOR;
  private SparseValues collected = new SparseValues(0);

  /**
   * Creates a reader of the values of a range.
   *
   * @param range range of the elements to read; it must be as long as the one that was written, but
   *     may start elsewhere
   */
  public SparseReader(byte[] bytes, Range range) {
    this.in = new BitReader(bytes);
    this.range = range;
  }

  /**
   * Checks whether the bytes encode values of the range.
   *
   * @throws CorruptPayloadException if they do not
   */
  public void check() {
    read();
  }

  /**
   * Collects the values.
   *
   * @param into receives the values; its former values are discarded
   * @throws CorruptPayloadException if the bytes do not encode values of the range
   */
  public void collect(SparseValues into) {
    into.clear();
    use = Use.COLLECT;
    collected = into;
    read();
  }

  /**
   * Adds the values to a vector's elements of the range.
   *
   * @throws CorruptPayloadException if the bytes do not encode values of the range; some may be
   *     added
   */
  public void addTo(float[] to) {
    use = Use.ADD;
    vector = to;
    read();
  }

  /**
   * Overwrites those of a vector's elements in the range that have a value, and leaves the others.
   *
   * @throws CorruptPayloadException if the bytes do not encode values of the range; some may be
   *     written
   */
  public void setIn(float[] of) {
    use = Use.SET;
    vector = of;
    read();
  }

  private void read() {
    switch (Form.of(in.read(SparseCodec.FORM_BITS))) {
      case LIST -> readList();
      case SIGNS -> readSigns();
      case PALETTE -> readPalette();
      case BITMAP -> readBitmap();
      case DENSE -> readDense(range);
      case BLOCKS -> readBlocks();
    }
    in.end();
  }

  private void put(int index, float value) {
    switch (use) {
      case CHECK -> {}
      case COLLECT -> collected.put(index, value);
      case ADD -> vector[index] += value;
      case SET -> vector[index] = value;
    }
  }

  // ---- forms with gaps --------------------------------------------------------------------------

  private void readList() {
    int count = in.read(SparseCodec.COUNT_BITS);
    int k = in.read(SparseCodec.K_BITS);
    checkCount(count, k, Float.SIZE);
    int index = range.start() - 1;
    for (int i = 0; i < count; i++) {
      index = next(index, k);
      put(index, Float.intBitsToFloat(in.read(Float.SIZE)));
    }
  }

  private void readSigns() {
    int count = in.read(SparseCodec.COUNT_BITS);
    int k = in.read(SparseCodec.K_BITS);
    float tau = threshold();
    checkCount(count, k, 1);
    int index = range.start() - 1;
    for (int i = 0; i < count; i++) {
      index = next(index, k);
      put(index, in.read(1) == 1 ? -tau : tau);
    }
  }

  private void readPalette() {
    int count = in.read(SparseCodec.COUNT_BITS);
    int k = in.read(SparseCodec.K_BITS);
    float[] values = new float[in.read(SparseCodec.PALETTE_BITS) + 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.intBitsToFloat(in.read(Float.SIZE));
    }
    int indexBits = Palette.indexBits(values.length);
    checkCount(count, k, indexBits);
    int index = range.start() - 1;
    for (int i = 0; i < count; i++) {
      index = next(index, k);
      int which = in.read(indexBits);
      if (which >= values.length) {
        throw new CorruptPayloadException(
            "index " + which + " of a value: must be less than " + values.length);
      }
      put(index, values[which]);
    }
  }

  /** Checks that enough bits are left for a count of values. A gap takes at least 1 + k bits. */
  private void checkCount(int count, int k, int valueBits) {
    if (count < 0 || count > range.length() || (long) count * (1 + k + valueBits) > in.bitsLeft()) {
      throw new CorruptPayloadException(
          count
              + " values for "
              + range
              + ": must fit into the range and "
              + in.bitsLeft()
              + " bits");
    }
  }

  private int next(int index, int k) {
    long gap = ((long) in.readUnary(range.length() >>> k) << k) + in.read(k);
    long next = index + 1 + gap;
    if (next >= range.end()) {
      throw new CorruptPayloadException("element " + next + ": must be in " + range);
    }
    return (int) next;
  }

  private float threshold() {
    float tau = Float.intBitsToFloat(in.read(Float.SIZE));
    if (!(tau > 0) || Float.isInfinite(tau)) {
      throw new CorruptPayloadException("threshold " + tau + ": must be a finite number above 0");
    }
    return tau;
  }

  // ---- element by element ----------------------------------------------------------------------

  private void readBitmap() {
    float tau = threshold();
    checkElements(SparseCodec.BITMAP_BITS, range);
    for (int index = range.start(); index < range.end(); index++) {
      switch (in.read(SparseCodec.BITMAP_BITS)) {
        case 0 -> {}
        case 1 -> put(index, tau);
        case 2 -> put(index, -tau);
        default -> put(index, -tau / 2);
      }
    }
  }

  /** Reads all elements; those whose bits are 0 had no value. */
  private void readDense(Range elements) {
    checkElements(Float.SIZE, elements);
    for (int index = elements.start(); index < elements.end(); index++) {
      int bits = in.read(Float.SIZE);
      if (bits != 0) {
        put(index, Float.intBitsToFloat(bits));
      }
    }
  }

  private void readBlocks() {
    for (int i = 0; i < range.chunks(FixedPointBlock.LENGTH); i++) {
      Range elements = range.chunk(i, FixedPointBlock.LENGTH);
      int k = in.read(FixedPointBlock.K_BITS);
      if (k == FixedPointBlock.RAW) {
        readDense(elements);
      } else if (k <= FixedPointBlock.MOST_K) {
        readMultiples(elements, k);
      } else if (k != FixedPointBlock.EMPTY) {
        throw new CorruptPayloadException(
            "block with k = %d: must be 0 to %d, %d or %d"
                .formatted(k, FixedPointBlock.MOST_K, FixedPointBlock.EMPTY, FixedPointBlock.RAW));
      }
    }
  }

  private void readMultiples(Range elements, int k) {
    int exponent = FixedPointBlock.LEAST_UNIT + in.read(FixedPointBlock.UNIT_BITS);
    float unit = Math.scalb(1f, exponent);
    checkElements(1 + k, elements);
    int mostUnary = FixedPointBlock.MOST_CODE >>> k;
    for (int index = elements.start(); index < elements.end(); index++) {
      int code = (in.readUnary(mostUnary) << k) + in.read(k);
      if (code != 0) {
        put(index, finite(FixedPointBlock.multiple(code) * unit));
      }
    }
  }

  private static float finite(float value) {
    if (!Float.isFinite(value)) {
      throw new CorruptPayloadException("value " + value + ": must be finite in a block");
    }
    return value;
  }

  private void checkElements(int bits, Range elements) {
    if ((long) bits * elements.length() > in.bitsLeft()) {
      throw new CorruptPayloadException(
          "values for " + elements + ": do not fit into " + in.bitsLeft() + " bits");
    }
  }
}
