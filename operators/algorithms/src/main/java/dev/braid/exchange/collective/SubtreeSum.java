package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

/**
 * Sum over a subtree: adds up the values that a rank of a tree and its children have for a chunk,
 * as own + (left child's + right child's), independent of arrival.
 */
public final class SubtreeSum {

  /** Sum of two children's values, from index 0 on. */
  private final float[] both;

  /** Creates a sum for chunks of at most {@code chunkLength} elements. */
  public SubtreeSum(int chunkLength) {
    this.both = new float[chunkLength];
  }

  /** Writes own + an only child's sum, and releases the child's. */
  public void write(float[] sum, float[] own, Sum only) {
    Vectors.sum(sum, own, only.range().start(), only.payload().dense());
    only.payload().release();
  }

  /** Writes own + (one child's + the other child's sum), and releases both children's. */
  public void write(float[] sum, float[] own, Sum one, Sum other) {
    one.payload().copyTo(both, 0);
    other.payload().addTo(both, 0);
    Slice values = Slice.view(both, 0, one.payload().length());
    Vectors.sum(sum, own, one.range().start(), values);
    one.payload().release();
    other.payload().release();
  }
}
