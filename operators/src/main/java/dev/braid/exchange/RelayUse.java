package dev.braid.exchange;

/**
 * Relay statistics of a rank that relays other ranks' updates. An update is sent in parts, one
 * message each.
 *
 * @param relayed number of parts of others' updates that this rank has passed on, counted once per
 *     receiving neighbour
 * @param duplicates number of parts that this rank had already received and discarded
 */
public record RelayUse(long relayed, long duplicates) {

  /** Statistics with no relayed part. */
  public static final RelayUse NONE = new RelayUse(0, 0);
}
