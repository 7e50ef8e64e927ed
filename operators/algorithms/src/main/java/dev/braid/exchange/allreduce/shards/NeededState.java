package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The updater's state over a range, some of whose values a rank may still lack. */
final class NeededState {

  /** The memory that holds the values. */
  interface Store {

    void write(int vector, Range part, Slice values);

    /** Returns all values, one array per vector; index 0 is the range's start. */
    float[][] values();
  }

  private final Range range;
  private final Store store;

  /** By vector: the elements that are present, from the range's start on. */
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

  /** Marks all values as present. */
  void allIsHere() {
    Arrays.stream(here).forEach(of -> of.set(0, range.length()));
  }

  /** Takes the part of a piece that overlaps the range, unless the state is complete. */
  void take(StatePiece piece) {
    Range both = isComplete() ? Range.EMPTY : range.common(piece.range());
    for (int vector = 0; !both.isEmpty() && vector < here.length; vector++) {
      take(vector, both, piece.part(vector, both));
    }
  }

  /** Takes the values of one vector over the overlap of a part with the range. */
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

  /** Returns whether a value in a part of the vector is missing. */
  boolean lacks(Range part) {
    Range both = range.common(part);
    int from = both.start() - range.start();
    int end = both.end() - range.start();
    return !both.isEmpty() && Arrays.stream(here).anyMatch(of -> of.nextClearBit(from) < end);
  }

  /** Returns copies of the elements that are present in all vectors. */
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
