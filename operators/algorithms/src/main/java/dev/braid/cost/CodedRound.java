package dev.braid.cost;

import dev.braid.coding.CodeTree;
import dev.braid.coding.GradientCode;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Time of a round of CodedReduce until the master has the sum (CodedReduce §III-B). All workers
 * start to compute at the same time. A parent receives its children's answers one after the other,
 * in the order in which they are ready, and decodes as soon as it can. It answers when its own
 * gradient is ready, too.
 */
public final class CodedRound {

  private final CodeTree codes;
  private final double load;
  private final double messageSeconds;
  private final double[] seconds;

  /**
   * By parent, starting with the master: times at which its children's answers are ready, in
   * seconds, by child; {@link #sorted} has the same times in ascending order.
   */
  private final double[][] ready;

  private final double[][] sorted;
  private final double[] ofGroup;

  /**
   * Creates the simulation of a tree.
   *
   * @param messageSeconds t_c, time that a parent takes to receive an answer, in seconds
   */
  public CodedRound(CodeTree codes, double messageSeconds) {
    this.codes = codes;
    this.load = codes.load();
    this.messageSeconds = messageSeconds;
    int workers = codes.tree().workers();
    this.seconds = new double[workers];
    this.ready = new double[workers + 1][];
    Arrays.setAll(ready, i -> new double[codes.childrenOf(i + RegularTree.MASTER).length]);
    this.ofGroup = new double[workers];
    this.sorted = Arrays.stream(ready).map(double[]::clone).toArray(double[][]::new);
  }

  /** Returns the mean time of the given number of simulated rounds, in seconds. */
  public double meanSeconds(GradientTimes times, int rounds, SplittableRandom random) {
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      times.draw(load, random, seconds);
      sum += sumAt(RegularTree.MASTER);
    }
    return sum / rounds;
  }

  /** Returns the time at which a parent has its children's sum, in seconds. */
  private double sumAt(int parent) {
    int[] below = codes.childrenOf(parent);
    double[] answers = ready[parent - RegularTree.MASTER];
    for (int i = 0; i < below.length; i++) {
      answers[i] = answerOf(below[i]);
    }
    double[] inOrder = sorted[parent - RegularTree.MASTER];
    System.arraycopy(answers, 0, inOrder, 0, inOrder.length);
    Arrays.sort(inOrder);
    int enough = enough(codes.codeOf(parent), answers, inOrder);
    double now = 0;
    for (int i = 0; i < enough; i++) {
      now = Math.max(now, inOrder[i]) + messageSeconds;
    }
    return now;
  }

  /**
   * Returns the number of answers, in order of arrival, that a parent receives until it can decode.
   */
  private int enough(GradientCode code, double[] answers, double[] inOrder) {
    if (code.groups() == 1) {
      return code.needed(0);
    }
    // Decoding waits for the group that is complete last.
    double last = 0;
    int withLast = 0;
    for (int group = 0; group < code.groups(); group++) {
      int size = 0;
      for (int child = 0; child < answers.length; child++) {
        if (code.group(child) == group) {
          ofGroup[size++] = answers[child];
        }
      }
      int needed = code.needed(group);
      Arrays.sort(ofGroup, 0, size);
      double complete = ofGroup[needed - 1];
      int tied = 1;
      while (tied < needed && ofGroup[needed - 1 - tied] == complete) {
        tied++;
      }
      withLast = complete > last ? tied : withLast + (complete == last ? tied : 0);
      last = Math.max(last, complete);
    }
    int before = 0;
    while (inOrder[before] < last) {
      before++;
    }
    return before + withLast;
  }

  private double answerOf(int worker) {
    return codes.childrenOf(worker).length == 0
        ? seconds[worker]
        : Math.max(seconds[worker], sumAt(worker));
  }
}
