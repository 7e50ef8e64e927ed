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
 * Common implementation of synchronous allreduces in which all ranks take part: {@link
 * AllreduceRounds} as an exchange. An algorithm is defined by its {@linkplain Phases operations}.
 */
public class Allreduce implements Synchronous {

  private static final Algorithm ALONE =
      (all, vector, sums, completion) -> Phases.ofOne(vector, completion);

  private final AllreduceRounds rounds;

  /** An allreduce algorithm, as a factory of its operations. */
  @FunctionalInterface
  public interface Algorithm {

    /**
     * Creates the operations of a round.
     *
     * @param all communicator of all ranks, in phase 0
     * @param vector the whole vector
     * @param sums output: receives the sum of all ranks' gradients, {@code float[length]}
     * @param completion must be called for each chunk of the sum that is final at this rank
     */
    Phases phases(Communicator all, Range vector, float[] sums, Collective.Completion completion);
  }

  /** Creates an allreduce that steps the model at the end of each round; one rank copies no sum. */
  public Allreduce(ExchangeConfig config, Port port, Algorithm algorithm) {
    this(config, port, 1, config.ranks() == 1 ? ALONE : algorithm, port::update);
  }

  /**
   * Creates an allreduce that passes the sum of each complete round to a consumer.
   *
   * @param arrays number of arrays for the sum, used in turn: see {@link AllreduceRound}
   * @param step consumer of the sum of a complete round
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

  /** Returns whether a part of the current sum is final; all ranks have then contributed to it. */
  protected final boolean isPartlyFinal() {
    return rounds.isPartlyFinal();
  }

  @Override
  public void rollBack() {
    rounds.rollBack();
  }
}
