package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.message.Message;
import dev.braid.vector.Range;
import java.util.function.Consumer;

/**
 * Every synchronous allreduce in which all ranks take part: {@link AllreduceRounds} as an exchange.
 * An algorithm is the {@linkplain Phases operations} that it is made of.
 */
public class Allreduce implements Synchronous {

  private static final Algorithm ALONE =
      (all, vector, sums, completion) -> Phases.ofOne(vector, completion);

  private final AllreduceRounds rounds;

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

  /** One whose model takes its step at the end of the round; a rank that is alone copies no sum. */
  public Allreduce(ExchangeConfig config, Port port, Algorithm algorithm) {
    this(config, port, 1, config.ranks() == 1 ? ALONE : algorithm, port::update);
  }

  /**
   * One whose model need not take its step at the end of the round.
   *
   * @param arrays for the sum, used in turn: see {@link AllreduceRound}
   * @param step takes the sum of a round that is complete
   */
  protected Allreduce(
      ExchangeConfig config,
      Port port,
      int arrays,
      Algorithm algorithm,
      Consumer<Update.GradientSum> step) {
    this.rounds = new AllreduceRounds(config, port, arrays, algorithm, step);
  }

  @Override
  public final boolean mayCompute() {
    return !rounds.underWay();
  }

  @Override
  public final void contribute(Contribution local) {
    rounds.contribute(local);
  }

  @Override
  public final void receive(Message message) {
    rounds.receive(message);
  }

  @Override
  public final long completedRounds() {
    return rounds.completed();
  }

  /** Whether a part of the sum under way is final: then all ranks have contributed to it. */
  protected final boolean isPartlyFinal() {
    return rounds.isPartlyFinal();
  }

  @Override
  public void rollBack() {
    rounds.rollBack();
  }
}
