package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * The updater's state over a range.
 *
 * @param values by vector; as long as the range
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record StatePiece(Range range, float[][] values) {

  /** One vector's values over a part of the range. */
  public Slice part(int vector, Range part) {
    return Slice.view(values[vector], part.start() - range.start(), part.length());
  }
}
