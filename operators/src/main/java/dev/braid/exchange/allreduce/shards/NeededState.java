package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The updater's state over a range, of which a rank may lack some values yet. */
final class NeededState {

  /** Where values are kept. */
  interface Store {

    void write(int vector, Range part, Slice values);

    /** All values, by vector, from the range's start on. */
    float[][] values();
  }

  private final Range range;
  private final Store store;

  /** By vector: the elements that are here, from the range's start on. */
  private final BitSet[] here;

  NeededState(Range range, int vectors, Store store) {
    this.range = range;
    this.store = store;
    this.here = new BitSet[vectors];
    Arrays.setAll(here, vector -> new BitSet());
  }

  Range range() {
    return range;
  }

  /** All of it is here already. */
  void allIsHere() {
    Arrays.stream(here).forEach(of -> of.set(0, range.length()));
  }

  /** Takes what it needs of a piece. */
  void take(StatePiece piece) {
    Range both = isComplete() ? Range.EMPTY : range.common(piece.range());
    for (int vector = 0; !both.isEmpty() && vector < here.length; vector++) {
      take(vector, both, piece.part(vector, both));
    }
  }

  /** Takes what it needs of one vector over a part. */
  void take(int vector, Range part, Slice values) {
    Range both = range.common(part);
    if (both.isEmpty()) {
      return;
    }
    int offset = values.offset() + both.start() - part.start();
    store.write(vector, both, Slice.view(values.array(), offset, both.length()));
    here[vector].set(both.start() - range.start(), both.end() - range.start());
  }

  boolean isComplete() {
    return Arrays.stream(here).allMatch(of -> of.cardinality() == range.length());
  }

  /** Whether something of a part is not here. */
  boolean lacks(Range part) {
    Range both = range.common(part);
    int from = both.start() - range.start();
    int end = both.end() - range.start();
    return !both.isEmpty() && Arrays.stream(here).anyMatch(of -> of.nextClearBit(from) < end);
  }

  /** Copies of what is here of all vectors. */
  List<StatePiece> pieces() {
    BitSet ofAll = (BitSet) here[0].clone();
    Arrays.stream(here).forEach(ofAll::and);
    List<StatePiece> pieces = new ArrayList<>();
    for (int from = ofAll.nextSetBit(0); from >= 0; ) {
      int begin = from;
      int end = ofAll.nextClearBit(from);
      float[][] values =
          Arrays.stream(store.values())
              .map(vector -> Arrays.copyOfRange(vector, begin, end))
              .toArray(float[][]::new);
      pieces.add(new StatePiece(new Range(range.start() + begin, range.start() + end), values));
      from = ofAll.nextSetBit(end);
    }
    return pieces;
  }
}
