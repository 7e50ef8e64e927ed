package dev.braid.worker;

import dev.braid.exchange.Roles;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.vector.Range;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.SavedVectors;
import java.util.Optional;

/**
 * A rank's standing in the views of its exchange. In an exchange without views, every rank is
 * always a member.
 *
 * @param roles which ranks compute
 */
record Membership(ExchangeRunner exchange, int rank, Roles roles) {

  private static final long WAITS_FOR_COPY = -1;

  /**
   * Returns the view in which ranks complete each round together; empty with an asynchronous
   * exchange.
   */
  private Optional<View> jointView() {
    return exchange.view().filter(it -> exchange.isSynchronous());
  }

  /** Returns whether the rank has the model of the view: it is a member and waits for no copy. */
  boolean isCurrent() {
    return exchange.isCurrent();
  }

  /** Returns whether the rank is in the view and still waits for its copy of the view's model. */
  boolean waitsForCopy() {
    return !isCurrent() && !isLeftOut();
  }

  /** Returns whether the rank is excluded: the others continue without it. */
  boolean isLeftOut() {
    return exchange.view().map(it -> !it.contains(rank)).orElse(false);
  }

  /**
   * Returns the number of the latest view that the rank knows, whether it is in it or not; 0
   * without views.
   */
  long view() {
    return exchange.view().map(View::number).orElse(0L);
  }

  /**
   * Returns the rank's share of the test set. With a synchronous exchange, the members of the view
   * share the test set, because they end an epoch in the same view. Otherwise each rank always has
   * the same share, and the share of an excluded rank is evaluated when the rank rejoins.
   */
  TestShare testShare() {
    return jointView()
        .filter(it -> it.contains(rank))
        .map(it -> new TestShare(it.position(rank), it.size()))
        .orElse(roles.computes(rank) ? new TestShare(rank, roles.workers()) : TestShare.NONE);
  }

  /**
   * Returns whether a round that is complete here may be set back, because others may repeat it
   * without this rank.
   */
  boolean mayBeSetBack() {
    return jointView().isPresent();
  }

  /**
   * Returns whether the rank is excluded and keeps its position in its data until it rejoins. It
   * does if replicas differ: its own batches since it was excluded may count.
   */
  boolean keepsPosition() {
    return isLeftOut() && !exchange.replicasAgree();
  }

  /**
   * Returns the number of joint rounds that this rank has completed, or −1 while it waits for a
   * copy. A rank that has its copy may still have batches to drop, but it has the model of the
   * round in which it takes part again.
   */
  long jointRounds(Position position) {
    if (isLeftOut()) {
      return position.rounds();
    }
    return isCurrent() ? exchange.jointRounds() : WAITS_FOR_COPY;
  }

  /** Returns whether this rank has nothing left to do for the first {@code rounds} joint rounds. */
  boolean isThrough(Position position, long rounds) {
    if (exchange.view().isEmpty()) {
      return !position.isBehind() && exchange.isThrough(rounds);
    }
    if (keepsPosition()) {
      return true;
    }
    boolean isThere = exchange.replicasAgree() ? position.rounds() >= rounds : !position.isBehind();
    return isThere
        && jointRounds(position) >= rounds
        && (isLeftOut() || exchange.isThrough(rounds));
  }

  /** Returns whether this rank reports for all ranks what is the same at all of them. */
  boolean isFirst() {
    return jointView().map(it -> it.rank(0) == rank).orElse(rank == 0);
  }

  /** Returns the part of the final model that the rank hands over. */
  Range reported(Model model) {
    Range whole = Range.ofLength(model.weights().length);
    return exchange.served().orElse(isFirst() ? whole : Range.EMPTY);
  }

  /**
   * Returns how checkpoints keep the model: a share of each rank, a replica of each rank, or the
   * range that each rank serves.
   */
  SavedVectors.Kind partKind() {
    if (exchange.served().isPresent()) {
      return SavedVectors.Kind.SERVED;
    }
    return exchange.replicasAgree() ? SavedVectors.Kind.SHARE : SavedVectors.Kind.REPLICA;
  }

  /**
   * Returns the range of the model's {@code length} elements that this rank writes into a
   * checkpoint.
   */
  Range rangeToSave(int length) {
    Range whole = Range.ofLength(length);
    return switch (partKind()) {
      case SERVED -> exchange.served().orElseThrow();
      case SHARE -> share(whole);
      case REPLICA -> whole;
    };
  }

  /** Returns the share that this rank writes of a model that all members of the view have alike. */
  private Range share(Range whole) {
    Optional<View> view = exchange.view();
    if (view.isEmpty()) {
      // A rank that neither computes nor serves a part of the model need not have the model.
      return roles.computes(rank) ? whole.part(rank, roles.workers()) : Range.EMPTY;
    }
    boolean isIn = view.get().contains(rank);
    return isIn ? whole.part(view.get().position(rank), view.get().size()) : Range.EMPTY;
  }

  /**
   * Returns whether a gradient that is ready may be contributed. A rank keeps its gradient in these
   * states:
   *
   * <ul>
   *   <li>stopped: the arbiter has forbidden to complete rounds and has not yet named the next
   *       view;
   *   <li>excluded: the rank may not contribute; the gradient is discarded when the copy arrives;
   *   <li>with an asynchronous exchange: other messages must be sent first, namely those with which
   *       a flush has begun for a checkpoint that was declined.
   * </ul>
   */
  boolean mayContribute() {
    boolean mayHaveToWait = exchange.view().isPresent() || !exchange.isSynchronous();
    return !mayHaveToWait || exchange.mayCompute();
  }
}
