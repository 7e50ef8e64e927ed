package dev.braid.exchange;

import java.util.List;
import java.util.OptionalDouble;

/** Statistics that an exchange provides for reports and metrics. */
public interface Measured {

  /** Statistics of an exchange that provides none. */
  Measured NOTHING = new Measured() {};

  /** Returns the staleness of a gradient that this rank would compute from its current model. */
  default Staleness staleness() {
    return Staleness.NONE;
  }

  /**
   * Adds this exchange's figures. Totals are those since the exchange began.
   *
   * @param to values to which this exchange adds its own
   */
  default void addFigures(FigureValues to) {}

  /** Returns this exchange's figures. */
  default FigureValues figures() {
    FigureValues figures = new FigureValues();
    addFigures(figures);
    return figures;
  }

  /**
   * Returns a lower bound of the rate, in bytes per second, at which links accept data from this
   * rank, for exchanges with their own transport. Empty before it is measured, and if a layer below
   * the exchange measures it.
   */
  default OptionalDouble bytesPerSecond() {
    return OptionalDouble.empty();
  }

  /** Returns the absent ranks, without which this rank continues. */
  default List<Integer> absentRanks() {
    return List.of();
  }

  /**
   * Returns the awaited ranks: unreachable ranks with data that no other rank has and that this
   * rank needs before it can continue.
   */
  default List<Awaited> awaitedRanks() {
    return List.of();
  }

  /**
   * Two ranks of which one must rejoin.
   *
   * @param first a rank that has the needed data
   * @param second the other rank that has it; equal to {@code first} if there is no other
   */
  record Awaited(int first, int second) {

    /** Returns the pair of two ranks, in either order. */
    public static Awaited eitherOf(int one, int other) {
      return new Awaited(Math.min(one, other), Math.max(one, other));
    }
  }
}
