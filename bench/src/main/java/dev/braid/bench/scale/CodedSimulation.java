package dev.braid.bench.scale;

import dev.braid.bench.scale.CodedCase.Scheme;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Braid's exchanges under the conditions of CodedReduce's evaluation, in virtual time. It differs
 * from the paper's model in three ways. The sum returns to the workers, a late worker completes its
 * gradient before it begins the next, and answers that are not needed are received, too.
 *
 * <p>The master is at the last rank, a leaf of the tree, which receives no other answers. Codes of
 * a hundred children of one parent cannot be decoded with floats. Gradient coding is therefore
 * timed as the first N − S answers of workers with its load, which has the same messages.
 */
final class CodedSimulation {

  private static final long SEED = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Bytes of a gradient, so many that the time for headers is negligible. */
  private static final double GRADIENT_BYTES = 1e9;

  private final CodedCase of;
  private final CodedConditions conditions;
  private final int rounds;

  /**
   * The result of a scheme's simulation: the end of each round, and the workers whose gradients are
   * in it.
   */
  record Timed(double[] roundEndSeconds, BitSet[] counted) {

    double secondsPerRound() {
      return roundEndSeconds[roundEndSeconds.length - 1] / roundEndSeconds.length;
    }
  }

  CodedSimulation(CodedCase of, CodedConditions conditions, int rounds) {
    this.of = of;
    this.conditions = conditions;
    this.rounds = rounds;
  }

  /** Simulates a scheme. */
  Timed run(Scheme scheme) {
    int workers = of.workers();
    int elements = scheme == Scheme.RING ? workers : 1;
    Counted counted = new Counted(rounds);
    SimulationResult result =
        Simulation.of(ExchangeRunner.bare(exchange(scheme).descriptor()::create), workers, elements)
            .options(options(scheme))
            .bytesPerElement(GRADIENT_BYTES / elements)
            .rounds(rounds)
            .links(seed -> new Receivers(scheme))
            .computeTime(conditions.computeTime(of.load(scheme), SEED))
            .check(() -> counted)
            .build()
            .run();
    return new Timed(
        Arrays.stream(result.roundEndNanos())
            .mapToDouble(nanos -> nanos / NANOS_PER_SECOND)
            .toArray(),
        counted.byRound);
  }

  private static ExchangeType exchange(Scheme scheme) {
    return switch (scheme) {
      case UNCODED -> ExchangeType.UNCODED;
      case GRADIENT_CODING, DROP_STRAGGLERS -> ExchangeType.DROP_STRAGGLERS;
      case RING -> ExchangeType.RING;
      case CODED -> ExchangeType.CODED;
    };
  }

  private ExchangeOptions options(Scheme scheme) {
    ExchangeOptions options =
        ExchangeOptions.defaults(of.workers()).with(ExchangeOptions.ROOT, of.workers() - 1);
    return switch (scheme) {
      case UNCODED, RING -> options;
      case GRADIENT_CODING, DROP_STRAGGLERS -> options.with(CodedOptions.STRAGGLERS, of.leftOut());
      case CODED ->
          options
              .with(CodedOptions.CHILDREN, of.children())
              .with(CodedOptions.STRAGGLERS, of.stragglers());
    };
  }

  /** Links to receivers that process one message at a time. */
  private final class Receivers implements LinkModel {

    private final Scheme scheme;
    private final long[] freeNanos = new long[of.workers()];

    Receivers(Scheme scheme) {
      this.scheme = scheme;
    }

    @Override
    public long arrivalNanos(int from, int to, long bytes, long nowNanos) {
      double gradients = bytes / GRADIENT_BYTES;
      long comesNanos = nowNanos + Math.round(conditions.hopSeconds() * NANOS_PER_SECOND);
      long takesNanos =
          Math.round(gradients * conditions.messageSeconds(senders(from, to)) * NANOS_PER_SECOND);
      freeNanos[to] = Math.max(freeNanos[to], comesNanos) + takesNanos;
      return freeNanos[to];
    }

    /** Returns the number of senders of the receiver's answers; a sum has one sender. */
    private int senders(int from, int to) {
      boolean isAnswer = to == of.workers() - 1 || from > to;
      return switch (scheme) {
        case RING -> 1;
        case CODED -> isAnswer ? of.children() : 1;
        case UNCODED, GRADIENT_CODING, DROP_STRAGGLERS -> isAnswer ? of.workers() : 1;
      };
    }
  }

  /** Records which ranks' gradients are in each round. */
  private static final class Counted implements UpdateCheck {

    private final BitSet[] byRound;

    Counted(int rounds) {
      this.byRound = new BitSet[rounds];
      Arrays.setAll(byRound, round -> new BitSet());
    }

    @Override
    public void completed(int rank, long round) {
      byRound[(int) round].set(rank);
    }
  }
}
