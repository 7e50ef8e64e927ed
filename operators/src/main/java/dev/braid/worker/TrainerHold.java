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
  }

  private final TrainerHost host;
  private final HostedExchange exchange;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final Runnable rolledBack;
  private final Runnable begin;
  private final Optional<Flushing> flushing;

  private boolean frozen;

  /**
   * @param rolledBack what the trainer does when its exchange has rolled back
   * @param begin what it does to go on
   */
  TrainerHold(
      TrainerHost host,
      HostedExchange exchange,
      Position position,
      Membership membership,
      RoundClock clock,
      Runnable rolledBack,
      Runnable begin) {
    this.host = host;
    this.exchange = exchange;
    this.position = position;
    this.membership = membership;
    this.clock = clock;
    this.rolledBack = rolledBack;
    this.begin = begin;
    this.flushing = exchange.asynchronous().map(Flush::new);
  }

  boolean isFrozen() {
    return frozen;
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
  public void freeze() {
    frozen = true;
    clock.frozen();
  }

  @Override
  public void holdAfter(long rounds) {
    if (membership.isLeftOut()) {
      position.missUntil(rounds);
    }
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
    rolledBack.run();
  }

  @Override
  public boolean servesWhileHeld() {
    return exchange.synchronous().map(Synchronous::servesWhileHeld).orElse(true);
  }

  @Override
  public void resume() {
    frozen = false;
    host.paused(clock.pauseNanos());
    begin.run();
  }
}
