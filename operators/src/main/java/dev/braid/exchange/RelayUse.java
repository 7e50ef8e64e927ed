package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a rank has done for others' updates, where ranks relay them. An update goes in parts, a
 * message each.
 *
 * @param sent parts of its own updates, each counted for each neighbour
 * @param relayed parts of others' updates that it has passed on, counted likewise
 * @param duplicates parts that came when they were here already, and were discarded
 */
public record RelayUse(long sent, long relayed, long duplicates) {

  /** Nothing was sent. */
  public static final RelayUse NONE = new RelayUse(0, 0, 0);

  /** What has come to it since another moment. */
  public RelayUse since(RelayUse before) {
    return new RelayUse(
        sent - before.sent, relayed - before.relayed, duplicates - before.duplicates);
  }

  /** The sums of both. */
  public RelayUse plus(RelayUse other) {
    return new RelayUse(
        sent + other.sent, relayed + other.relayed, duplicates + other.duplicates);
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(sent);
    out.writeLong(relayed);
    out.writeLong(duplicates);
  }

  public static RelayUse read(DataInput in) throws IOException {
    return new RelayUse(in.readLong(), in.readLong(), in.readLong());
  }
}
