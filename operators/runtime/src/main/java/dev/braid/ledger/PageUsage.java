package dev.braid.ledger;

/**
 * Uses of the samples of one page, in the order of their arrival.
 *
 * @param page the samples' ids divided by {@link Page#SAMPLES}
 * @param offsets the remainders, which are the samples' positions in the page
 * @param epochs the epoch of each use, from 0
 * @param rounds the round of each use, from 0
 */
public record PageUsage(int page, byte[] offsets, int[] epochs, long[] rounds) {

  /** Returns the number of uses. */
  public int size() {
    return offsets.length;
  }
}
