package dev.braid.cost;

import dev.braid.coding.CodeTree;
import dev.braid.coding.CyclicCode;
import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Which tree and how many stragglers, for so many workers, let a round take the least time: a
 * question that CodedReduce leaves open (§V).
 *
 * <p>A larger s waits for fewer, and gives each worker more to compute; a larger n has fewer layers
 * to go through, and a parent that takes more answers one after the other. What is best depends on
 * how gradient times are spread, and order statistics in closed form are known for few
 * distributions. So rounds are drawn, the same for all candidates: a few of each, and more of those
 * that are left, until the best is known.
 */
public final class CodedPlanner {

  /** Rounds of each candidate in the first pass; twice as many of a quarter in the next. */
  private static final int FIRST_ROUNDS = 16;

  private static final int LAST_ROUNDS = 4096;

  /** Of so many workers, or fewer, all trees are candidates. */
  private static final int MOST_OF_ALL = 32;

  /** A larger number is followed by one that is so much of it larger. */
  private static final int PARTS = 10;

  /** Candidates that are compared to the last. */
  private static final int LEAST_LEFT = 8;

  /**
   * How much longer a round of a repetition code may take than of the best: its sums have the same
   * bits whoever straggles.
   */
  private static final double WORTH_OF_SAME_BITS = 1.02;

  private final GradientTimes times;
  private final double messageSeconds;
  private final Supplier<SplittableRandom> random;
  private final int firstRounds;
  private final int lastRounds;

  /**
   * A planner for these times.
   *
   * @param messageSeconds how long a parent is busy with an answer
   * @param random gives generators that all draw the same
   */
  public CodedPlanner(
      GradientTimes times, double messageSeconds, Supplier<SplittableRandom> random) {
    this(times, messageSeconds, random, FIRST_ROUNDS, LAST_ROUNDS);
  }

  private CodedPlanner(
      GradientTimes times,
      double messageSeconds,
      Supplier<SplittableRandom> random,
      int firstRounds,
      int lastRounds) {
    this.firstRounds = firstRounds;
    this.lastRounds = lastRounds;
    this.times = times;
    this.messageSeconds = messageSeconds;
    this.random = random;
  }

  /**
   * The same, of which the choice is less exact, and takes less time: also of each candidate fewer
   * rounds are drawn at first.
   *
   * @param rounds that are drawn of the best trees; 4096 otherwise
   */
  public CodedPlanner upTo(int rounds) {
    return new CodedPlanner(
        times, messageSeconds, random, FIRST_ROUNDS / 2, Math.max(FIRST_ROUNDS, rounds));
  }

  /** The choice for so many workers, at least 1. */
  public CodedPlan plan(int workers) {
    return plan(candidates(workers));
  }

  /** The choice of these trees, at least one. */
  public CodedPlan plan(List<CodeTree> candidates) {
    List<CodedPlan> left = new ArrayList<>();
    for (CodeTree codes : candidates) {
      left.add(new CodedPlan(codes, 0));
    }
    for (int rounds = firstRounds; rounds <= lastRounds; rounds *= 2) {
      List<CodedPlan> measured = new ArrayList<>();
      for (CodedPlan plan : left) {
        measured.add(measure(plan.codes(), rounds));
      }
      measured.sort(Comparator.comparingDouble(CodedPlan::seconds));
      left =
          measured.subList(0, Math.min(measured.size(), Math.max(LEAST_LEFT, measured.size() / 4)));
    }
    CodedPlan best = left.get(0);
    return left.stream()
        .filter(plan -> plan.codes().isRepetition())
        .filter(plan -> plan.seconds() <= WORTH_OF_SAME_BITS * best.seconds())
        .findFirst()
        .orElse(best);
  }

  /** What a tree takes, as exactly as the choice is known. */
  public CodedPlan measure(CodeTree codes) {
    return measure(codes, lastRounds);
  }

  /** What a tree takes, over so many rounds. */
  public CodedPlan measure(CodeTree codes, int rounds) {
    return new CodedPlan(
        codes, new CodedRound(codes, messageSeconds).meanSeconds(times, rounds, random.get()));
  }

  /**
   * All n and s for up to {@value #MOST_OF_ALL} workers; for more, of the larger numbers some, as
   * one more or less changes little there, and there would be half a million for a thousand. No
   * cyclic code, nor one among the rest of a parent's children, is of more than {@value
   * CyclicCode#MOST_BOUNDED}: how much decoding enlarges rounding then depends on who is late.
   */
  public static List<CodeTree> candidates(int workers) {
    List<CodeTree> all = new ArrayList<>();
    for (int children : spread(Math.min(2, workers), workers)) {
      RegularTree tree = new RegularTree(workers, children);
      for (int stragglers : stragglers(children)) {
        CodeTree codes = new CodeTree(tree, stragglers);
        if (codes.largestCyclicCode() <= CyclicCode.MOST_BOUNDED) {
          all.add(codes);
        }
      }
    }
    return all;
  }

  private static List<Integer> stragglers(int children) {
    return IntStream.range(0, children)
        .filter(stragglers -> children <= MOST_OF_ALL || children % (stragglers + 1) == 0)
        .boxed()
        .toList();
  }

  /** Both ends, and numbers between them that are a tenth apart where they are large. */
  private static List<Integer> spread(int from, int to) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = from; number < to; number += number < MOST_OF_ALL ? 1 : number / PARTS) {
      numbers.add(number);
    }
    numbers.add(to);
    return numbers;
  }
}
