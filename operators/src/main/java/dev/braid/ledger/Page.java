package dev.braid.ledger;

import java.util.Arrays;

/**
 * The account of {@value #SAMPLES} samples with successive ids: which epoch and round used each one
 * last, how often it was used, and which of the recent epochs did.
 *
 * <p>Many samples share an entry of keyed state because the state backend's price is by access: on
 * two cores, the ledger in RocksDB took 0.3 microseconds a sample, and with one entry a sample 60,
 * more than training itself.
 *
 * <p>Workers report at their own pace, so a sample's use in an epoch may become known after its use
 * in the next one, or, while a path between TaskManagers is cut, tens of epochs later. Therefore
 * the epochs before the last are kept too, as bits; a use in an epoch older than those is taken for
 * a repeat rather than let pass unseen.
 */
final class Page {

  /** Samples of a page. At most 256, as an offset is a byte. */
  static final int SAMPLES = 256;

  /** The epochs that are told apart, back from a sample's last one. */
  static final int RECENT_EPOCHS = Long.SIZE;

  private static final int NEVER = -1;

  private final int[] lastEpochs;
  private final long[] recentEpochs;
  private final int[] uses;
  private final long[] lastRounds;

  Page() {
    this(new int[SAMPLES], new long[SAMPLES], new int[SAMPLES], new long[SAMPLES]);
    Arrays.fill(lastEpochs, NEVER);
    Arrays.fill(lastRounds, NEVER);
  }

  Page(int[] lastEpochs, long[] recentEpochs, int[] uses, long[] lastRounds) {
    this.lastEpochs = lastEpochs;
    this.recentEpochs = recentEpochs;
    this.uses = uses;
    this.lastRounds = lastRounds;
  }

  Page copy() {
    return new Page(lastEpochs.clone(), recentEpochs.clone(), uses.clone(), lastRounds.clone());
  }

  /**
   * Enters a use.
   *
   * @return whether it is the sample's first in this epoch
   */
  boolean use(int offset, int epoch, long round) {
    uses[offset]++;
    lastRounds[offset] = Math.max(lastRounds[offset], round);
    int last = lastEpochs[offset];
    if (epoch > last) {
      int passed = epoch - last;
      long before = last == NEVER || passed >= RECENT_EPOCHS ? 0 : recentEpochs[offset] << passed;
      recentEpochs[offset] = before | 1;
      lastEpochs[offset] = epoch;
      return true;
    }
    int age = last - epoch;
    if (age >= RECENT_EPOCHS || (recentEpochs[offset] >>> age & 1) != 0) {
      return false;
    }
    recentEpochs[offset] |= 1L << age;
    return true;
  }

  /** The last epoch that used the sample; -1 if none did. */
  int lastEpoch(int offset) {
    return lastEpochs[offset];
  }

  /** Of the {@link #RECENT_EPOCHS} up to the last: bit i says whether the i-th before it did. */
  long recentEpochs(int offset) {
    return recentEpochs[offset];
  }

  /** How often the sample was used. */
  int uses(int offset) {
    return uses[offset];
  }

  /** The last round that used the sample; -1 if none did. */
  long lastRound(int offset) {
    return lastRounds[offset];
  }
}
