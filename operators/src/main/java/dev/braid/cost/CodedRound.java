package dev.braid.cost;

import dev.braid.coding.CodeTree;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.SplittableRandom;

/**
 * How long a round of CodedReduce takes until the master has the sum (CodedReduce §III-B): all
 * workers compute at once; a parent takes its children's answers one after the other, in the order
 * in which they are ready, and decodes as soon as it can; then, when its own gradient is ready,
 * too, it answers.
 */
public final class CodedRound {

  private final CodeTree codes;
  private final double load;
  private final double messageSeconds;
  private final double[] seconds;

  /**
   * A round over this tree.
   *
   * @param messageSeconds how long a parent is busy with an answer, t_c
   */
  public CodedRound(CodeTree codes, double messageSeconds) {
    this.codes = codes;
    this.load = codes.load();
    this.messageSeconds = messageSeconds;
    this.seconds = new double[codes.tree().workers()];
  }

  /** The tree and its codes. */
  public CodeTree codes() {
    return codes;
  }

  /** The mean over so many rounds, in seconds. */
  public double meanSeconds(GradientTimes times, int rounds, SplittableRandom random) {
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      times.draw(load, random, seconds);
      sum += sumAt(RegularTree.MASTER);
    }
    return sum / rounds;
  }

  /** When the sum of a parent's children is there. */
  private double sumAt(int parent) {
    int[] below = codes.childrenOf(parent);
    double[] ready = new double[below.length];
    for (int i = 0; i < below.length; i++) {
      ready[i] = answerOf(below[i]);
    }
    Integer[] order = new Integer[below.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> ready[i]));
    BitSet answered = new BitSet();
    double now = 0;
    for (int i : order) {
      now = Math.max(now, ready[i]) + messageSeconds;
      answered.set(i);
      if (codes.codeOf(parent).isDecodable(answered)) {
        return now;
      }
    }
    throw new IllegalStateException("all answers of " + below.length + " children give no sum");
  }

  private double answerOf(int worker) {
    return codes.childrenOf(worker).length == 0
        ? seconds[worker]
        : Math.max(seconds[worker], sumAt(worker));
  }
}
