package dev.braid.exchange.collective;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Message;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

/**
 * Adds up what a rank of a tree and its children have of a chunk: own + (left child's + right
 * child's), in whatever order they come.
 */
public final class SubtreeSum {

  /** What two children have sent, where that begins in arrays that are lent: at 0. */
  private final float[] both;

  public SubtreeSum(ExchangeConfig config) {
    this.both = new float[Math.min(config.chunkLength(), config.length())];
  }

  /** Writes own + an only child's sum, and releases that. */
  public void write(float[] sum, float[] own, Message only) {
    Vectors.sum(sum, own, only.range().start(), only.values());
    only.values().release();
  }

  /** Writes own + (one child's + the other's sum), and releases these. */
  public void write(float[] sum, float[] own, Message one, Message other) {
    Slice values = one.values();
    System.arraycopy(values.array(), values.offset(), both, 0, values.length());
    Vectors.add(both, 0, other.values());
    Vectors.sum(sum, own, one.range().start(), Slice.view(both, 0, values.length()));
    values.release();
    other.values().release();
  }
}
