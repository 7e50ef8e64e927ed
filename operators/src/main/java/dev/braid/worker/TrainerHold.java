package dev.braid.worker;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Synchronous;
import dev.braid.loop.Holdable;
import dev.braid.worker.report.RoundClock;
import java.util.List;
import java.util.Optional;

/**
 * What a checkpoint asks of a rank: answered from its exchange, its place in the data and its place
 * among the others. A trainer that is frozen begins nothing.
 */
final class TrainerHold implements Holdable {

  /**
   * What the trainer does at the steps of a checkpoint.
   *
   * @param enterRounds when it is known which rounds are to be complete: enters those that it may
   * @param rolledBack when its exchange has rolled back
   * @param begin to go on
   */
  record Steps(Runnable enterRounds, Runnable rolledBack, Runnable begin) {}

  private record Flush(Asynchronous exchange) implements Flushing {

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
  private final HostedExchange exchange;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final Steps steps;
  private final Optional<Flushing> flushing;

  private boolean frozen;

  /** How many rounds are to be complete, while the loop is being held; 0 if that is not known. */
  private long heldAfter;

  TrainerHold(
      TrainerHost host,
      HostedExchange exchange,
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
    this.flushing = exchange.asynchronous().map(Flush::new);
  }

  boolean isFrozen() {
    return frozen;
  }

  /**
   * Whether a round may begin that may be complete without this rank's gradient: one that goes on
   * while the loop is being held has to come to the end of the rounds that others have completed.
   */
  boolean mayEnter(long round) {
    return !frozen || round < heldAfter;
  }

  @Override
  public long completedRounds() {
    return exchange.isSynchronous() ? membership.jointRounds(position) : 0;
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
    clock.frozen();
  }

  @Override
  public void holdAfter(long rounds) {
    if (membership.isLeftOut()) {
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
    Synchronous synchronous = exchange.synchronous().orElseThrow();
    long complete = synchronous.completedRounds();
    synchronous.rollBack();
    if (synchronous.completedRounds() != complete) {
      throw new IllegalStateException(
          "%d rounds complete at rank %d, and %d when it has rolled back"
              .formatted(complete, membership.rank(), synchronous.completedRounds()));
    }
    steps.rolledBack().run();
  }

  @Override
  public boolean servesWhileHeld() {
    return exchange.synchronous().map(Synchronous::servesWhileHeld).orElse(true);
  }

  @Override
  public void resume() {
    frozen = false;
    heldAfter = 0;
    host.paused(clock.pauseNanos());
    steps.begin().run();
  }
}
