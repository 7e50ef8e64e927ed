package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Sender;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Consecutive rounds of an allreduce: takes the contribution, then messages that arrived early, and
 * completes the round as soon as its sum is complete.
 */
public final class AllreduceRounds {

  private final Consumer<Update.GradientSum> step;
  private final AllreduceRound round;

  /** Operations for each array of the sum. */
  private final List<Phases> phases = new ArrayList<>();

  /**
   * Creates rounds that begin after the configured number of complete rounds.
   *
   * @param sender sends the messages of the operations
   * @param arrays number of arrays for the sum, used in turn: see {@link AllreduceRound}
   * @param algorithm creates the operations for each array
   * @param step consumer of the sum of a complete round
   */
  public AllreduceRounds(
      ExchangeConfig config,
      Sender sender,
      int arrays,
      Allreduce.Algorithm algorithm,
      Consumer<Update.GradientSum> step) {
    this.step = step;
    this.round = new AllreduceRound(config, arrays);
    Group all = Group.ofAll(config.rank(), config.ranks());
    for (int array = 0; array < arrays; array++) {
      phases.add(
          algorithm.phases(
              new Communicator(all, 0, config.chunkLength(), round::completed, sender),
              Range.ofLength(config.length()),
              round.sum(array),
              round::markFinal));
    }
  }

  /** Returns the number of complete rounds. */
  public long completed() {
    return round.completed();
  }

  /** Returns whether this rank has contributed to a round that is not complete. */
  public boolean underWay() {
    return round.underWay();
  }

  /** Returns whether a part of the current sum is final; all ranks have then contributed to it. */
  boolean isPartlyFinal() {
    return round.isPartlyFinal();
  }

  /** Begins the next round with this rank's gradient. */
  public void contribute(Contribution local) {
    round.begin(local);
    phases.get(round.array()).start().begin(local.gradient(), local.samples());
    round.finish(step);
    for (var due = round.nextDue(); due.isPresent(); due = round.nextDue()) {
      handleAndFinish(due.get());
    }
  }

  /** Handles a message of the current or the next round. */
  public void receive(Message message) {
    if (!round.defer(message)) {
      handleAndFinish(message);
    }
  }

  private void handleAndFinish(Message message) {
    if (message.body() instanceof Sum sum) {
      phases.get(round.array()).receive(message.origin(), sum);
    } else {
      throw message.unexpected();
    }
    round.finish(step);
  }

  /** Discards and releases all data of incomplete rounds. */
  public void rollBack() {
    phases.forEach(Phases::rollBack);
    round.rollBack();
  }
}
