package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

/**
 * Adds up what a rank of a tree and its children have of a chunk: own + (left child's + right
 * child's), in whatever order they come.
 */
public final class SubtreeSum {

  /** What two children have sent, where that begins in arrays that are lent: at 0. */
  private final float[] both;

  /** For chunks of so many elements at most. */
  public SubtreeSum(int chunkLength) {
    this.both = new float[chunkLength];
  }

  /** Writes own + an only child's sum, and releases that. */
  public void write(float[] sum, float[] own, Sum only) {
    Vectors.sum(sum, own, only.range().start(), only.payload().dense());
    only.payload().release();
  }

  /** Writes own + (one child's + the other's sum), and releases these. */
  public void write(float[] sum, float[] own, Sum one, Sum other) {
    one.payload().copyTo(both, 0);
    other.payload().addTo(both, 0);
    Slice values = Slice.view(both, 0, one.payload().length());
    Vectors.sum(sum, own, one.range().start(), values);
    one.payload().release();
    other.payload().release();
  }
}
