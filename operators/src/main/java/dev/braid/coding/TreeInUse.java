package dev.braid.coding;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The tree of a coded exchange that chooses it anew, and what was expected of it.
 *
 * @param children of a parent, n; 0 where no tree is chosen
 * @param stragglers whom a parent does not wait for, s
 * @param seconds how long a round was expected to take; NaN of the tree that a run begins with
 * @param secondsBefore how long in the tree before, by the same times; NaN as well
 */
public record TreeInUse(int children, int stragglers, float seconds, float secondsBefore) {

  /** Of an exchange that has none, or the same for good. */
  public static final TreeInUse NONE = new TreeInUse(0, 0, Float.NaN, Float.NaN);

  /** Whether there is one. */
  public boolean isKnown() {
    return children > 0;
  }

  /** Whether it is the same, whatever was expected of it. */
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
