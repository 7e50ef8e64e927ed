package dev.braid.ledger;

/**
 * Uses of the samples of one page, in the order in which they came.
 *
 * @param page the samples' ids divided by {@link Page#SAMPLES}
 * @param offsets the remainders: which samples of the page
 * @param epochs the epoch of each use, from 0
 * @param rounds the round of each use, from 0
 */
public record PageUsage(int page, byte[] offsets, int[] epochs, long[] rounds) {

  /** How many uses there are. */
  public int size() {
    return offsets.length;
  }
}
