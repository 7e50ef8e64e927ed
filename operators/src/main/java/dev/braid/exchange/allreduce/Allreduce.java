package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.Group;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.function.Consumer;

/**
 * The frame of every synchronous allreduce: contribute, take the messages that came too early, and
 * end the round as soon as its sum is complete. An algorithm is the {@linkplain Phases operations}
 * that it is made of.
 */
public class Allreduce implements Synchronous {

  private final Consumer<Update.GradientSum> step;
  private final AllreduceRound round;
  private final Phases phases;

  /** What an algorithm is made of. */
  @FunctionalInterface
  public interface Algorithm {

    /**
     * The operations of a round.
     *
     * @param all reaches all ranks, in phase 0
     * @param sums where the sum of all ranks' gradients is built
     * @param completion is to be told of each chunk of it that is final at this rank
     */
    Phases phases(Communicator all, Range vector, float[] sums, Collective.Completion completion);
  }

  public Allreduce(ExchangeConfig config, Port port, Algorithm algorithm) {
    this(config, port, algorithm, port::update);
  }

  /**
   * One whose model need not take its step at the end of the round.
   *
   * @param step takes the sum of a round that is complete
   */
  Allreduce(
      ExchangeConfig config, Port port, Algorithm algorithm, Consumer<Update.GradientSum> step) {
    this.step = step;
    this.round = new AllreduceRound(config);
    Group all = Group.ofAll(config.rank(), config.ranks());
    this.phases =
        algorithm.phases(
            new Communicator(all, 0, config.chunkLength(), round::completed, port),
            Range.ofLength(config.length()),
            round.sum(),
            round::markFinal);
  }

  @Override
  public final boolean mayCompute() {
    return !round.underWay();
  }

  @Override
  public final void contribute(Contribution local) {
    round.begin(local);
    phases.start().begin(local.gradient(), local.samples());
    round.finish(step);
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

  /** The round under way. */
  final AllreduceRound round() {
    return round;
  }

  @Override
  public void rollBack() {
    phases.rollBack();
    round.rollBack();
  }

  private void handleAndFinish(Message message) {
    if (message.body() instanceof Sum sum) {
      phases.receive(message.from(), sum);
    } else {
      throw message.unexpected();
    }
    round.finish(step);
  }
}
