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
 * Chooses the tree and the number of stragglers with the shortest expected round, for a given
 * number of workers: a choice that CodedReduce leaves open (§V).
 *
 * <p>A larger s waits for fewer workers and gives each worker more to compute. A larger n means
 * fewer layers and parents that receive more answers one after the other. The best choice depends
 * on the distribution of gradient times, and order statistics in closed form are known for few
 * distributions. The planner therefore simulates rounds, with the same random numbers for all
 * candidates. It draws a few rounds for each candidate and more for those that are left, until the
 * best is known.
 */
public final class CodedPlanner {

  /**
   * A tree with its codes, and the expected time of a round.
   *
   * @param codes the tree, with n, L and s
   * @param seconds expected time of a round
   */
  public record CodedPlan(CodeTree codes, double seconds) {}

  /**
   * Rounds per candidate in the first pass. Each later pass draws twice as many for the best
   * quarter.
   */
  private static final int FIRST_ROUNDS = 8;

  /**
   * Largest number at which numbers of children or stragglers are all tried; above it, only some
   * are.
   */
  private static final int MOST_OF_ALL = 32;

  /**
   * Divisor that gives the step from one number of children to the next, from {@link #MOST_OF_ALL}
   * on.
   */
  private static final int PARTS = 10;

  /** Minimum number of candidates in the last pass, unless there are fewer in total. */
  private static final int LEAST_LEFT = 8;

  /**
   * Factor by which a round with repetition codes may be longer than the best one and still be
   * chosen: its sums have the same bits regardless of stragglers.
   */
  private static final double WORTH_OF_SAME_BITS = 1.02;

  private final GradientTimes times;
  private final double messageSeconds;
  private final Supplier<SplittableRandom> random;
  private final int lastRounds;

  /**
   * Creates a planner for the given gradient times.
   *
   * @param messageSeconds time that a parent takes to receive an answer, in seconds
   * @param random supplies generators that all draw the same numbers
   * @param rounds number of rounds to draw for the best trees; at least 16 are drawn
   */
  public CodedPlanner(
      GradientTimes times, double messageSeconds, Supplier<SplittableRandom> random, int rounds) {
    this.times = times;
    this.messageSeconds = messageSeconds;
    this.random = random;
    this.lastRounds = Math.max(2 * FIRST_ROUNDS, rounds);
  }

  /** Chooses among all candidates for the given number of workers, at least 1. */
  public CodedPlan plan(int workers) {
    return plan(candidates(workers));
  }

  /** Chooses among the given trees, at least one. */
  public CodedPlan plan(List<CodeTree> candidates) {
    List<CodedPlan> left = new ArrayList<>();
    for (CodeTree codes : candidates) {
      left.add(new CodedPlan(codes, 0));
    }
    for (int rounds = FIRST_ROUNDS; rounds <= lastRounds; rounds *= 2) {
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

  /**
   * Returns the expected time of a round with a tree, over as many rounds as the final choice uses.
   */
  public CodedPlan measure(CodeTree codes) {
    return measure(codes, lastRounds);
  }

  /**
   * Returns the expected time of a round with a tree, over the given number of simulated rounds.
   */
  public CodedPlan measure(CodeTree codes, int rounds) {
    return new CodedPlan(
        codes, new CodedRound(codes, messageSeconds).meanSeconds(times, rounds, random.get()));
  }

  /**
   * Returns the candidates: all n and s for up to {@value #MOST_OF_ALL} workers. For more workers
   * only some of the larger numbers are included, because a difference of one hardly matters there
   * and a thousand workers would have half a million candidates. Cyclic codes have at most {@value
   * CyclicCode#MOST_BOUNDED} children, also those for the rest of a parent's children: with more,
   * the magnification of rounding errors depends on which children are late.
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

  /**
   * Returns both ends and numbers between them, which are about a tenth apart where they are large.
   */
  private static List<Integer> spread(int from, int to) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = from; number < to; number += number < MOST_OF_ALL ? 1 : number / PARTS) {
      numbers.add(number);
    }
    numbers.add(to);
    return numbers;
  }
}
