package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;

/**
 * The frame of every synchronous allreduce: contribute, take the messages that came too early, and
 * end the round as soon as its sum is complete. What messages mean is up to the algorithm.
 */
abstract class Allreduce implements Synchronous {

  private final Port port;
  private final AllreduceRound round;

  Allreduce(ExchangeConfig config, Port port) {
    this.port = port;
    this.round = new AllreduceRound(config);
  }

  /** The round under way. */
  final AllreduceRound round() {
    return round;
  }

  /** Sends, or adds up, what this rank's own gradient allows to. */
  abstract void begin(Contribution local);

  /** Handles a message of the round under way, to which this rank has contributed. */
  abstract void handle(Sum message);

  @Override
  public final boolean mayCompute() {
    return !round.underWay();
  }

  @Override
  public final void contribute(Contribution local) {
    round.begin(local);
    begin(local);
    round.finish(port);
    for (var due = round.nextDue(); due.isPresent(); due = round.nextDue()) {
      handleAndFinish(due.get());
    }
  }

  @Override
  public final void receive(Message message) {
    if (!round.defer(message)) {
      handleAndFinish(message);
    }
  }

  @Override
  public final long completedRounds() {
    return round.completed();
  }

  @Override
  public void rollBack() {
    round.rollBack();
  }

  private void handleAndFinish(Message message) {
    if (message.body() instanceof Sum sum) {
      handle(sum);
    } else {
      throw message.unexpected();
    }
    round.finish(port);
  }
}
