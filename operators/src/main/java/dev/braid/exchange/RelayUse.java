package dev.braid.exchange;

/**
 * What a rank has done for others' updates, where ranks relay them. An update goes in parts, a
 * message each.
 *
 * @param relayed parts of others' updates that it has passed on, each counted for each neighbour
 * @param duplicates parts that came when they were here already, and were discarded
 */
public record RelayUse(long relayed, long duplicates) {

  /** Nothing was sent. */
  public static final RelayUse NONE = new RelayUse(0, 0);
}
