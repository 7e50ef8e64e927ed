package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The updater's state over a range.
 *
 * @param range the range
 * @param values one array of the range's length per vector of the state
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record StatePiece(Range range, float[][] values) {

  /** Returns a copy of a part; this piece itself if the part is its whole range. */
  StatePiece over(Range part) {
    if (part.equals(range)) {
      return this;
    }
    int from = part.start() - range.start();
    return new StatePiece(
        part,
        Arrays.stream(values)
            .map(vector -> Arrays.copyOfRange(vector, from, from + part.length()))
            .toArray(float[][]::new));
  }

  /** Returns a view of one vector's values over a part of the range. */
  public Slice part(int vector, Range part) {
    return Slice.view(values[vector], part.start() - range.start(), part.length());
  }
}
