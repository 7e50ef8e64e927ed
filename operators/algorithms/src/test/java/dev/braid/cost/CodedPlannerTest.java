package dev.braid.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.coding.CodeTree;
import dev.braid.coding.CyclicTrees;
import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CodedPlannerTest {

  private static final int ROUNDS = 600;

  /**
   * Returns shifted exponential times (CodedReduce, eq. 6): a constant plus an exponentially
   * distributed time, each in seconds for all samples of a round.
   */
  private static GradientTimes shiftedExponential(double shift, double mean) {
    return drawn(random -> shift - mean * Math.log1p(-random.nextDouble()));
  }

  /** Returns Pareto-distributed times with the given minimum, in seconds. */
  private static GradientTimes pareto(double least, double exponent) {
    return drawn(random -> least * Math.pow(1 - random.nextDouble(), -1 / exponent));
  }

  private static GradientTimes drawn(ToDoubleFunction<SplittableRandom> distribution) {
    return (load, random, seconds) ->
        Arrays.setAll(seconds, worker -> load * distribution.applyAsDouble(random));
  }

  /** Returns the same times, but multiplied by {@code times} for the first workers. */
  private static GradientTimes withSlow(GradientTimes of, int workers, double times) {
    return (load, random, seconds) -> {
      of.draw(load, random, seconds);
      for (int worker = 0; worker < workers; worker++) {
        seconds[worker] *= times;
      }
    };
  }

  static Stream<Arguments> spreads() {
    GradientTimes exponential = shiftedExponential(1, 1);
    return Stream.of(7, 12, 20)
        .flatMap(
            workers ->
                Stream.of(
                    Arguments.of("shifted exponential", exponential, workers),
                    Arguments.of("Pareto's tail", pareto(1, 1.3), workers),
                    Arguments.of(
                        "two slow machines",
                        withSlow(shiftedExponential(1, 0.1), 2, 10),
                        workers)));
  }

  /** Compares with all other trees, in rounds that the planner has not drawn. */
  @ParameterizedTest(name = "{0}, {2} workers")
  @MethodSource("spreads")
  void itsChoiceIsAtMostFivePercentBehindTheBest(String spread, GradientTimes times, int workers) {
    CodedPlanner.CodedPlan chosen =
        new CodedPlanner(times, 0.002, () -> new SplittableRandom(1), 4096).plan(workers);
    CodedPlanner other = new CodedPlanner(times, 0.002, () -> new SplittableRandom(2), ROUNDS);
    double best =
        all(workers).stream()
            .mapToDouble(codes -> other.measure(codes, ROUNDS).seconds())
            .min()
            .orElseThrow();
    double itsOwn = other.measure(chosen.codes(), ROUNDS).seconds();
    System.out.printf(
        Locale.ROOT,
        "%s, %d workers: n = %d, s = %d, %.3f s, best %.3f s%n",
        spread,
        workers,
        chosen.codes().tree().children(),
        chosen.codes().stragglers(),
        itsOwn,
        best);
    assertThat(itsOwn).isLessThanOrEqualTo(1.05 * best);
  }

  /** Returns all trees, including those with codes that the planner does not choose. */
  private static List<CodeTree> all(int workers) {
    List<CodeTree> all = new ArrayList<>();
    for (int children = 2; children <= workers; children++) {
      for (int stragglers = 0; stragglers < children; stragglers++) {
        all.add(new CodeTree(new RegularTree(workers, children), stragglers));
      }
    }
    return all;
  }

  @Test
  void ofAThousandWorkersThereAreNotHalfAMillionCandidates() {
    assertThat(CodedPlanner.candidates(1000)).hasSizeBetween(500, 2000);
    assertThat(CodedPlanner.candidates(32)).hasSizeBetween(200, 300);
    assertThat(CodedPlanner.candidates(1)).hasSize(1);
    assertThat(CodedPlanner.candidates(100))
        .anyMatch(codes -> codes.tree().children() == 100 && codes.stragglers() == 99)
        .allMatch(codes -> codes.largestCyclicCode() <= 12);
  }

  /**
   * Checks CodedReduce, Theorem 2: the time of a round is between the two bounds, the more exactly
   * the larger n is. The theorem is about cyclic codes: if children repeat each other, a parent
   * usually has the sum from fewer than n − s answers, and is faster.
   */
  @ParameterizedTest
  @CsvSource({"0.1", "0.25", "0.5"})
  void aRoundTakesWhatTheorem2Says(double alpha) {
    double message = 1e-4;
    double before = Double.POSITIVE_INFINITY;
    for (int n : new int[] {20, 40, 120}) {
      int s = (int) (n * alpha);
      CodeTree codes = CyclicTrees.of(RegularTree.ofLayers(n, 2), s);
      double compute = codes.load() * (Math.log(1 / alpha) + 1);
      double seconds =
          new CodedRound(codes, message)
              .meanSeconds(shiftedExponential(1, 1), 4000 / n, new SplittableRandom(1));
      double least = compute + message * (n * (1 - alpha) + 1);
      double most = compute + message * n * 2;
      assertThat(seconds).as("n = %d", n).isGreaterThan(0.9 * least);
      double above = seconds / most;
      System.out.printf(Locale.ROOT, "n = %d, s = %d: %.3f of the upper bound%n", n, s, above);
      assertThat(above).as("n = %d", n).isLessThan(before);
      before = above;
    }
    assertThat(before).isLessThan(1.02);
  }

  @Test
  void withoutStragglersAndMessagesARoundIsAGradient() {
    CodeTree codes = new CodeTree(RegularTree.ofLayers(3, 2), 1);
    double seconds =
        new CodedRound(codes, 0).meanSeconds(shiftedExponential(1, 0), 3, new SplittableRandom(1));
    assertThat(seconds).isCloseTo(4.0 / 15, within(1e-12));
  }
}
