package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
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
 * Rounds of an allreduce, one after the other: contribute, take the messages that came too early,
 * and end the round as soon as its sum is complete.
 */
public final class AllreduceRounds {

  private final Consumer<Update.GradientSum> step;
  private final AllreduceRound round;

  /** By array of the sum. */
  private final List<Phases> phases = new ArrayList<>();

  /**
   * Rounds after those that are complete.
   *
   * @param port what operations send goes through
   * @param arrays for the sum, used in turn: see {@link AllreduceRound}
   * @param algorithm makes operations for each of the arrays
   * @param step takes the sum of a round that is complete
   */
  public AllreduceRounds(
      ExchangeConfig config,
      Port port,
      int arrays,
      Allreduce.Algorithm algorithm,
      Consumer<Update.GradientSum> step) {
    this.step = step;
    this.round = new AllreduceRound(config, arrays);
    Group all = Group.ofAll(config.rank(), config.ranks());
    for (int array = 0; array < arrays; array++) {
      phases.add(
          algorithm.phases(
              new Communicator(all, 0, config.chunkLength(), round::completed, port),
              Range.ofLength(config.length()),
              round.sum(array),
              round::markFinal));
    }
  }

  /** How many are complete. */
  public long completed() {
    return round.completed();
  }

  /** Whether this rank has contributed to the one that is not complete. */
  public boolean underWay() {
    return round.underWay();
  }

  /** Whether a part of the sum under way is final: then all ranks have contributed to it. */
  boolean isPartlyFinal() {
    return round.isPartlyFinal();
  }

  /** This rank's gradient of the next round. */
  public void contribute(Contribution local) {
    round.begin(local);
    phases.get(round.array()).start().begin(local.gradient(), local.samples());
    round.finish(step);
    for (var due = round.nextDue(); due.isPresent(); due = round.nextDue()) {
      handleAndFinish(due.get());
    }
  }

  /** A message of the round under way, or of the next. */
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

  /** Forgets what belongs to rounds that are not complete, and releases it. */
  public void rollBack() {
    phases.forEach(Phases::rollBack);
    round.rollBack();
  }
}
