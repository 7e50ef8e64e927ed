package dev.braid.worker;

import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Roles;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.View;
import dev.braid.vector.Range;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.Holding;
import java.util.Optional;

/**
 * How a rank stands in the views of its exchange; in one that has none, all are always in.
 *
 * @param roles who computes
 */
record Membership(HostedExchange exchange, int rank, Roles roles) {

  private static final long WAITS_FOR_COPY = -1;

  private Synchronous synchronous() {
    return exchange.synchronous().orElseThrow();
  }

  private Optional<Elastic> elastic() {
    return exchange.elastic();
  }

  /** The view in which ranks do each round together. */
  private Optional<View> jointView() {
    return elastic().filter(it -> exchange.isSynchronous()).map(Elastic::view);
  }

  /** Whether the rank's model is that of the view: it is in it, and waits for no copy. */
  boolean isCurrent() {
    return elastic().isEmpty() || elastic().get().isCurrent();
  }

  /** Whether the rank is in the view, and its copy of the view's model is still to come. */
  boolean waitsForCopy() {
    return !isCurrent() && !isLeftOut();
  }

  /** Whether the rank is cut off, and others go on without it. */
  boolean isLeftOut() {
    return elastic().isPresent() && !elastic().get().view().contains(rank);
  }

  /** The number of the view that the rank is told to be in, or out of. */
  long view() {
    return elastic().map(it -> it.view().number()).orElse(0L);
  }

  /**
   * The rank's share of the test set, which the members of the view evaluate together: where ranks
   * wait for each other, as they end an epoch in one view then. Else each has its own always, and
   * that of one that is left out is evaluated when it is back.
   */
  TestShare testShare() {
    return jointView()
        .filter(it -> it.contains(rank))
        .map(it -> new TestShare(it.position(rank), it.size()))
        .orElse(roles.computes(rank) ? new TestShare(rank, roles.workers()) : TestShare.NONE);
  }

  /** Whether a round that is complete here may be set back: others may do it without the rank. */
  boolean mayBeSetBack() {
    return jointView().isPresent();
  }

  /**
   * How many rounds are behind the rank that all take together; none while it waits for a copy. One
   * that has its copy may have to drop batches yet, but has the model of the round from which on it
   * takes part.
   */
  long jointRounds(Position position) {
    if (isLeftOut()) {
      return position.rounds();
    }
    return isCurrent() ? synchronous().jointRounds() : WAITS_FOR_COPY;
  }

  /** Whether nothing is left to do here for the first so many joint rounds. */
  boolean isThrough(Position position, long rounds) {
    if (elastic().isEmpty()) {
      return !position.isBehind() && synchronous().isThrough(rounds);
    }
    return Math.min(position.rounds(), jointRounds(position)) >= rounds
        && (isLeftOut() || synchronous().isThrough(rounds));
  }

  /** Whether this is the rank that speaks for all where all have the same. */
  boolean isFirst() {
    return jointView().map(it -> it.rank(0) == rank).orElse(rank == 0);
  }

  /** The part of the final model that the rank hands over. */
  Range reported(Model model) {
    Range whole = Range.ofLength(model.weights().length);
    return exchange.served().orElse(isFirst() ? whole : Range.EMPTY);
  }

  /** How checkpoints keep the model: one share or one replica of each rank, or what it serves. */
  Holding holding() {
    if (exchange.served().isPresent()) {
      return Holding.SERVED;
    }
    return exchange.replicasAgree() ? Holding.SHARE : Holding.REPLICA;
  }

  /** The elements of the model that this rank writes into a checkpoint, of so many. */
  Range rangeToSave(int length) {
    Range whole = Range.ofLength(length);
    return switch (holding()) {
      case SERVED -> exchange.served().orElseThrow();
      case SHARE -> share(whole);
      case REPLICA -> whole;
    };
  }

  /** The part of what all members of the view have alike that this rank writes. */
  private Range share(Range whole) {
    Optional<View> view = elastic().map(Elastic::view);
    if (view.isEmpty()) {
      // A rank that computes nothing, and serves no part of the model, need not have it.
      return roles.computes(rank) ? whole.part(rank, roles.workers()) : Range.EMPTY;
    }
    boolean isIn = view.get().contains(rank);
    return isIn ? whole.part(view.get().position(rank), view.get().size()) : Range.EMPTY;
  }

  /**
   * Whether a gradient that is ready may be contributed. A rank keeps it in these states:
   *
   * <ul>
   *   <li>stopped: the arbiter has said that no round is to be completed, and not yet in which view
   *       to go on
   *   <li>left out: it may not contribute; the gradient is discarded when the copy has come
   *   <li>of an asynchronous exchange, one that has other things to send first: what a flush has
   *       begun with, for a checkpoint that was declined
   * </ul>
   */
  boolean mayContribute() {
    boolean mayHaveToWait = elastic().isPresent() || !exchange.isSynchronous();
    return !mayHaveToWait || exchange.exchange().mayCompute();
  }
}
