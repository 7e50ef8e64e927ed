package dev.braid.coding;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The tree that a coded exchange has chosen, and the expected time of its rounds.
 *
 * @param children n, number of children of a parent
 * @param stragglers s, number of children that a parent does not wait for
 * @param seconds expected time of a round; NaN for the tree with which a run begins
 * @param secondsBefore expected time of a round in the previous tree, from the same measurements;
 *     NaN for the tree with which a run begins
 */
public record TreeInUse(int children, int stragglers, float seconds, float secondsBefore) {

  /** Returns whether the other tree is the same, whatever round times were expected of it. */
  public boolean isSameTree(TreeInUse other) {
    return children == other.children && stragglers == other.stragglers;
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(children);
    out.writeInt(stragglers);
    out.writeFloat(seconds);
    out.writeFloat(secondsBefore);
  }

  public static TreeInUse read(DataInput in) throws IOException {
    return new TreeInUse(in.readInt(), in.readInt(), in.readFloat(), in.readFloat());
  }
}
