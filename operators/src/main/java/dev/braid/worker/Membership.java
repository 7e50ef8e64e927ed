package dev.braid.worker;

import dev.braid.exchange.Elastic;
import dev.braid.exchange.Exchange;
import dev.braid.vector.Range;
import java.util.Optional;

/** How a rank stands in the views of its exchange; in one that has none, all are always in. */
record Membership(Exchange exchange, int rank) {

  private static final long WAITS_FOR_COPY = -1;

  private Optional<Elastic> elastic() {
    return exchange.elastic();
  }

  /** Whether the rank's model is that of the view: it is in it, and waits for no copy. */
  boolean isCurrent() {
    return elastic().isEmpty() || elastic().get().isCurrent();
  }

  /** Whether the rank is cut off, and others go on without it. */
  boolean isLeftOut() {
    return elastic().isPresent() && !elastic().get().view().contains(rank);
  }

  /** How many rounds are behind the rank that all take together; none while it waits for a copy. */
  long jointRounds(Position position) {
    if (!isCurrent() && !isLeftOut()) {
      return WAITS_FOR_COPY;
    }
    boolean drops = isLeftOut() || position.isBehind();
    return drops ? position.rounds() : exchange.jointRounds();
  }

  /** Whether nothing is left to do here for the first so many joint rounds. */
  boolean isThrough(Position position, long rounds) {
    return elastic().isPresent() ? jointRounds(position) >= rounds : exchange.isThrough(rounds);
  }

  /** The part of the final model that the rank hands over. */
  Range reported(Model model) {
    boolean isFirst = elastic().map(it -> it.view().rank(0) == rank).orElse(rank == 0);
    Range whole = Range.ofLength(model.weights().length);
    return exchange.served().orElse(isFirst ? whole : Range.EMPTY);
  }

  /** A rank that is left out keeps its gradient: it may be back before the round is over. */
  boolean mayContribute() {
    return elastic().isEmpty() || exchange.mayCompute();
  }
}
