package dev.braid.worker;

import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.loop.member.Holdable;
import dev.braid.worker.report.RoundClock;
import java.util.List;
import java.util.Optional;

/**
 * A rank's side of a checkpoint, derived from its exchange, its position in the data and its
 * membership. A frozen trainer begins nothing.
 */
final class TrainerHold implements Holdable {

  /**
   * Callbacks into the trainer during a checkpoint.
   *
   * @param enterRounds enters the rounds that the rank may enter, once it is known which rounds are
   *     to be completed
   * @param rolledBack runs after the exchange has rolled back
   * @param begin resumes training
   */
  record Steps(Runnable enterRounds, Runnable rolledBack, Runnable begin) {}

  private record Flush(ExchangeRunner exchange) implements Flushing {

    @Override
    public void flush() {
      exchange.flush();
    }

    @Override
    public boolean allHasArrived() {
      return exchange.isQuiet();
    }

    @Override
    public List<Integer> unreachable() {
      return exchange.unreachable();
    }

    @Override
    public void emptied() {
      exchange.emptied();
    }
  }

  private final TrainerHost host;
  private final ExchangeRunner exchange;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final Steps steps;
  private final Optional<Flushing> flushing;

  private boolean frozen;

  /** Number of rounds to complete while the loop is being held; 0 if it is not known. */
  private long heldAfter;

  TrainerHold(
      TrainerHost host,
      ExchangeRunner exchange,
      Position position,
      Membership membership,
      RoundClock clock,
      Steps steps) {
    this.host = host;
    this.exchange = exchange;
    this.position = position;
    this.membership = membership;
    this.clock = clock;
    this.steps = steps;
    this.flushing = exchange.isSynchronous() ? Optional.empty() : Optional.of(new Flush(exchange));
  }

  boolean isFrozen() {
    return frozen;
  }

  /**
   * Returns whether the rank may begin a round that can be completed without its gradient. While
   * the loop is being held, only rounds that other ranks have completed may begin.
   */
  boolean mayEnter(long round) {
    return !frozen || round < heldAfter;
  }

  @Override
  public long completedRounds() {
    if (!exchange.isSynchronous()) {
      return 0;
    }
    return membership.keepsPosition() ? heldAfter : membership.jointRounds(position);
  }

  @Override
  public boolean isThrough(long rounds) {
    return !exchange.isSynchronous() || membership.isThrough(position, rounds);
  }

  @Override
  public boolean hasNextRound() {
    return position.hasNext();
  }

  @Override
  public void freeze() {
    frozen = true;
    exchange.freeze();
    clock.frozen();
  }

  @Override
  public void holdAfter(long rounds) {
    if (membership.isLeftOut() && !membership.keepsPosition()) {
      position.missUntil(rounds);
    }
    heldAfter = rounds;
    steps.enterRounds().run();
  }

  @Override
  public Optional<Flushing> flushing() {
    return flushing;
  }

  @Override
  public void rollBack() {
    long complete = exchange.completedRounds();
    exchange.rollBack();
    if (exchange.completedRounds() != complete) {
      throw new IllegalStateException(
          "%d rounds are complete at rank %d, but %d after its rollback"
              .formatted(complete, membership.rank(), exchange.completedRounds()));
    }
    steps.rolledBack().run();
  }

  @Override
  public boolean servesWhileHeld() {
    return exchange.servesWhileHeld();
  }

  @Override
  public void resume() {
    frozen = false;
    heldAfter = 0;
    host.paused(clock.pauseNanos());
    steps.begin().run();
  }
}
