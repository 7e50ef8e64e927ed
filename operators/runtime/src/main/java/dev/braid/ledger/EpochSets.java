package dev.braid.ledger;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * For each of a number of samples, the set of epochs that have used it.
 *
 * <p>Workers report at their own pace, and in groups. A sample's use in an epoch may therefore
 * become known after its use in later epochs: thousands of epochs later if epochs are short,
 * because a group then has the uses of thousands of epochs. A set consists of all epochs before
 * some multiple of 64, and one bit for each later epoch. The multiple advances as epochs are
 * completed, and a sample whose epochs arrive in order needs one word of bits at any time.
 */
final class EpochSets {

  /**
   * Highest number of words of a set. If more are needed, the oldest words are assumed complete. An
   * epoch that never used a sample, because the sample's worker was unreachable, makes the set keep
   * all later words.
   */
  static final int MAX_WORDS = 1024;

  private static final long COMPLETE = -1L;
  private static final long[] NONE = {};

  /**
   * By sample: the number of the first word, counted from epoch 0. All epochs before it are in the
   * set.
   */
  private final int[] firstWords;

  /** By sample: the first word's bits. */
  private final long[] bits;

  /** By sample: the bits of the words after the first. */
  private final long[][] more;

  EpochSets(int samples) {
    this(new int[samples], new long[samples], new long[samples][]);
    Arrays.fill(more, NONE);
  }

  private EpochSets(int[] firstWords, long[] bits, long[][] more) {
    this.firstWords = firstWords;
    this.bits = bits;
    this.more = more;
  }

  EpochSets copy() {
    long[][] copies = new long[more.length][];
    Arrays.setAll(copies, sample -> more[sample].length == 0 ? NONE : more[sample].clone());
    return new EpochSets(firstWords.clone(), bits.clone(), copies);
  }

  /**
   * Adds an epoch to a sample's set.
   *
   * @return whether it was not in the set
   */
  boolean add(int sample, int epoch) {
    int word = epoch / Long.SIZE;
    long bit = 1L << (epoch % Long.SIZE);
    if (word < firstWords[sample] || (word(sample, word) & bit) != 0) {
      return false;
    }
    while (word - firstWords[sample] >= MAX_WORDS) {
      dropFirst(sample);
    }
    int behind = word - firstWords[sample] - 1;
    if (behind < 0) {
      bits[sample] |= bit;
    } else {
      if (behind >= more[sample].length) {
        more[sample] = Arrays.copyOf(more[sample], behind + 1);
      }
      more[sample][behind] |= bit;
    }
    while (bits[sample] == COMPLETE) {
      dropFirst(sample);
    }
    return true;
  }

  private long word(int sample, int word) {
    int behind = word - firstWords[sample] - 1;
    if (behind < 0) {
      return bits[sample];
    }
    return behind < more[sample].length ? more[sample][behind] : 0;
  }

  private void dropFirst(int sample) {
    long[] behind = more[sample];
    firstWords[sample]++;
    bits[sample] = behind.length == 0 ? 0 : behind[0];
    more[sample] = behind.length <= 1 ? NONE : Arrays.copyOfRange(behind, 1, behind.length);
  }

  /** Returns the number of bytes that {@link #write} writes for a sample. */
  int bytes(int sample) {
    return Integer.BYTES + Short.BYTES + Long.BYTES * (1 + more[sample].length);
  }

  void write(int sample, ByteBuffer to) {
    to.putInt(firstWords[sample]);
    to.putShort((short) more[sample].length);
    to.putLong(bits[sample]);
    for (long word : more[sample]) {
      to.putLong(word);
    }
  }

  /**
   * Replaces a sample's set by one that {@link #write} has written.
   *
   * @throws IllegalArgumentException if its first word is negative, or it has more words than a set
   *     may have
   */
  void read(int sample, ByteBuffer from) {
    firstWords[sample] = from.getInt();
    int behind = from.getShort();
    if (firstWords[sample] < 0 || behind < 0 || behind >= MAX_WORDS) {
      throw new IllegalArgumentException(
          ("set of epochs from word %d with %d more words: must begin at 0 or later, with fewer "
                  + "than %d more")
              .formatted(firstWords[sample], behind, MAX_WORDS));
    }
    bits[sample] = from.getLong();
    more[sample] = behind == 0 ? NONE : new long[behind];
    for (int i = 0; i < behind; i++) {
      more[sample][i] = from.getLong();
    }
  }
}
