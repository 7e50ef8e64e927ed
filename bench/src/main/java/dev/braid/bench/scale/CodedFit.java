package dev.braid.bench.scale;

import dev.braid.bench.scale.CodedCase.Task;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Derives the conditions that CodedReduce's paper does not state from the speed-ups that it states:
 * the conditions with which its model comes closest to them, by the sum of squared logarithms of
 * the ratios. Speed-ups that {@linkplain CodedCase#isPossible() no} times can produce are excluded.
 * Speed-ups only determine times in units of messages. Therefore t_c is {@value #MESSAGE_SECONDS}
 * s, the paper's value for CIFAR-10, for which the paper also states all other times except the
 * ring's.
 */
final class CodedFit {

  static final double MESSAGE_SECONDS = 0.05;

  /** The paper's a for CIFAR-10's samples, and 1/μ, which has the same value. */
  private static final double CIFAR_SECONDS_PER_SAMPLE = 5e-5;

  private static final int ROUNDS = 24;
  private static final long SEED = 1;

  /** Smallest step in the logarithm of a parameter, at which the search ends. */
  private static final double LEAST_STEP = 0.01;

  private static final double FIRST_STEP = 1.6;
  private static final double MOST_CROWDING = 1;
  private static final double LEAST_LOGARITHM = -6;

  /**
   * Starting points of searches: logarithms of a·d, d/μ and a hop, in messages, and the crowding.
   */
  private static final double[][] STARTS = {
    {0, 6, -1, 0.5}, {5, 5, -1, 0.5}, {5, 0, -1, 0.5}, {0, 4, -3, 0.2}
  };

  private CodedFit() {}

  /** Returns the conditions for cases of one task on one cluster. */
  static CodedConditions of(List<CodedCase> cases) {
    return cases.get(0).task() == Task.CIFAR ? hopOnly(cases) : all(cases);
  }

  private static CodedConditions hopOnly(List<CodedCase> cases) {
    double perSample = CIFAR_SECONDS_PER_SAMPLE * Task.CIFAR.samples();
    return search(
        new double[] {-4},
        values ->
            new CodedConditions(MESSAGE_SECONDS, perSample, perSample, messages(values[0]), 0),
        cases);
  }

  private static CodedConditions all(List<CodedCase> cases) {
    return Arrays.stream(STARTS)
        .map(start -> from(start, cases))
        .min(Comparator.comparingDouble(found -> error(found, cases)))
        .orElseThrow();
  }

  private static CodedConditions from(double[] start, List<CodedCase> cases) {
    return search(
        start,
        values ->
            new CodedConditions(
                MESSAGE_SECONDS,
                messages(values[0]),
                messages(values[1]),
                messages(values[2]),
                Math.max(0, Math.min(MOST_CROWDING, values[3]))),
        cases);
  }

  /** Converts the logarithm of a time in messages to seconds. */
  private static double messages(double logarithm) {
    return MESSAGE_SECONDS * Math.exp(Math.max(LEAST_LOGARITHM, logarithm));
  }

  @FunctionalInterface
  private interface Form {
    CodedConditions of(double[] values);
  }

  /**
   * Searches along one parameter after the other as long as that reduces the error, in ever smaller
   * steps.
   */
  private static CodedConditions search(double[] start, Form form, List<CodedCase> cases) {
    ToDoubleFunction<double[]> error = values -> error(form.of(values), cases);
    double[] best = start.clone();
    double least = error.applyAsDouble(best);
    for (double step = FIRST_STEP; step > LEAST_STEP; ) {
      boolean helped = false;
      for (int i = 0; i < best.length; i++) {
        for (int direction = -1; direction <= 1; direction += 2) {
          double[] next = best.clone();
          next[i] += direction * step;
          double there = error.applyAsDouble(next);
          if (there < least) {
            least = there;
            best = next;
            helped = true;
          }
        }
      }
      step = helped ? step : step / 2;
    }
    return form.of(best);
  }

  /**
   * Returns the sum of the squared differences of logarithms between the model's and the paper's
   * speed-ups.
   */
  static double error(CodedConditions conditions, List<CodedCase> cases) {
    double sum = 0;
    for (CodedCase one : cases) {
      double[] model = new CodedModel(one, conditions, SEED).speedups(ROUNDS).all();
      double[] paper = one.paper().all();
      sum +=
          IntStream.range(one.isPossible() ? 0 : 1, model.length)
              .mapToDouble(i -> Math.pow(Math.log(model[i] / paper[i]), 2))
              .sum();
    }
    return sum;
  }
}
