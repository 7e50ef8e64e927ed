package dev.braid.bench.scale;

import dev.braid.bench.scale.CodedCase.Scheme;
import dev.braid.bench.scale.CodedCase.Speedups;
import dev.braid.bench.scale.CodedCase.Task;
import dev.braid.bench.scale.CodedSimulation.Timed;
import dev.braid.bench.scale.RegressionRounds.Descent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares CodedReduce's speed-ups to reach an error, over a master that waits for all workers,
 * gradient coding, a ring, and a master that drops stragglers: the paper's figures (Reisizadeh et
 * al. 2021, Figures 8 to 13), those of its model, and those of Braid's exchanges in the simulator.
 *
 * <p>The paper states its cluster's times for CIFAR-10 only. For the other cases they are
 * {@linkplain CodedFit fitted} to its speed-ups, and printed. All schemes except dropping compute
 * the same gradient, so that the ratio of times to the same error is the ratio of times per round.
 * The number of additional rounds that dropping needs is found by training on the samples of the
 * workers for which each simulated round has waited.
 *
 * <p>Usage: {@code CodedSpeedups}; no arguments.
 */
public final class CodedSpeedups {

  private static final int USAGE = 2;
  private static final int ROUNDS = 300;
  private static final long SEED = 2;

  /**
   * Values of c2, in rounds, of steps that decrease as c1 / (t + c2), which the paper optimises,
   * too.
   */
  private static final double[] PATIENCES = {100, Double.POSITIVE_INFINITY};

  private CodedSpeedups() {}

  /**
   * The result of a case, per round.
   *
   * @param dropped the simulation of dropping, with the workers for which it has waited
   */
  record Row(CodedCase of, Speedups model, Speedups simulated, Timed dropped) {

    static Row of(CodedCase one, CodedConditions conditions, int rounds) {
      CodedSimulation simulation = new CodedSimulation(one, conditions, rounds);
      double coded = simulation.run(Scheme.CODED).secondsPerRound();
      Timed dropped = simulation.run(Scheme.DROP_STRAGGLERS);
      return new Row(
          one,
          new CodedModel(one, conditions, SEED).speedups(rounds),
          new Speedups(
              simulation.run(Scheme.UNCODED).secondsPerRound() / coded,
              simulation.run(Scheme.GRADIENT_CODING).secondsPerRound() / coded,
              simulation.run(Scheme.RING).secondsPerRound() / coded,
              dropped.secondsPerRound() / coded),
          dropped);
    }
  }

  /** Prints the table. */
  public static void main(String[] args) {
    if (args.length > 0) {
      System.err.println("usage: CodedSpeedups");
      System.exit(USAGE);
    }
    System.out.println(
        "# speed-ups of CodedReduce in a round: its paper's / its model's / of Braid's exchanges,"
            + " simulated");
    System.out.println(
        "# rounds: how many times as many dropping needs to the same error, and Braid's speed-up"
            + " to it");
    System.out.println(
        "#     N  alpha             uncoded     gradient coding                ring"
            + "            dropping  rounds");
    Arrays.stream(Task.values()).forEach(CodedSpeedups::print);
  }

  /** Cases with the same number of workers share one cluster. */
  private static void print(Task task) {
    Optional<Training> training =
        task.isTrained() ? Optional.of(new Training(task)) : Optional.empty();
    clusters(task).forEach(cases -> print(cases, training));
  }

  static List<List<CodedCase>> clusters(Task task) {
    return List.copyOf(
        CodedCase.ALL.stream()
            .filter(one -> one.task() == task)
            .collect(Collectors.groupingBy(CodedCase::workers, TreeMap::new, Collectors.toList()))
            .values());
  }

  private static void print(List<CodedCase> cases, Optional<Training> training) {
    CodedConditions conditions = CodedFit.of(cases);
    System.out.printf(
        Locale.ROOT,
        "# %s, %d workers: in units of t_c, a·d = %.3g, d/μ = %.3g, a hop %.2g; crowding %.2f%s%n",
        cases.get(0).task(),
        cases.get(0).workers(),
        conditions.shiftSeconds() / conditions.messageSeconds(),
        conditions.tailSeconds() / conditions.messageSeconds(),
        conditions.hopSeconds() / conditions.messageSeconds(),
        conditions.crowding(),
        cases.get(0).task() == Task.CIFAR ? " (the hop is fitted)" : " (all fitted)");
    for (CodedCase one : cases) {
      print(Row.of(one, conditions, ROUNDS), training);
    }
  }

  private static void print(Row row, Optional<Training> training) {
    CodedCase of = row.of();
    double rounds =
        training.map(it -> it.moreRounds(of.workers(), row.dropped().counted())).orElse(1.0);
    double[] paper = of.paper().all();
    double[] model = row.model().all();
    double[] simulated = row.simulated().all();
    StringBuilder line = new StringBuilder("%7d  %5s".formatted(of.workers(), of.alpha()));
    for (int i = 0; i < paper.length; i++) {
      line.append(
          String.format(Locale.ROOT, "  %4.1f / %4.1f / %4.1f", paper[i], model[i], simulated[i]));
    }
    line.append(
        String.format(
            Locale.ROOT, "  %5.2f %6.1f", rounds, rounds * row.simulated().dropStragglers()));
    System.out.println(line);
    if (!of.isPossible()) {
      System.out.printf(
          Locale.ROOT,
          "#        uncoded: by the paper's figures for ring and dropping, its model gives at most"
              + " %.1f, whatever the times; it is not fitted%n",
          of.mostUncoded());
    }
  }

  /**
   * A regression, and its descent with all gradients, which all schemes except dropping compute.
   */
  private static final class Training {

    private final RegressionRounds data;
    private final Descent exact;

    Training(Task task) {
      this.data = task.data(SEED);
      this.exact = data.descend(ROUNDS);
    }

    /**
     * Returns the ratio of the rounds that dropping needs, with the gradients that it did not drop,
     * to the rounds with all gradients.
     */
    double moreRounds(int workers, BitSet[] counted) {
      Descent dropping =
          Arrays.stream(PATIENCES)
              .mapToObj(patience -> data.descend(workers, counted, patience))
              .min(Comparator.comparingDouble(Descent::loss))
              .orElseThrow();
      double error = Math.max(exact.lastError(), dropping.lastError());
      return (double) dropping.roundsTo(error) / exact.roundsTo(error);
    }
  }
}
