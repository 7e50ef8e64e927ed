package dev.braid.cost;

import dev.braid.coding.CodeTree;
import dev.braid.coding.GradientCode;
import dev.braid.coding.RepetitionCode;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
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

  /** By parent, from the master on: when its children's answers are ready; and in that order. */
  private final double[][] ready;

  private final double[][] sorted;

  /**
   * A round over this tree.
   *
   * @param messageSeconds how long a parent is busy with an answer, t_c
   */
  public CodedRound(CodeTree codes, double messageSeconds) {
    this.codes = codes;
    this.load = codes.load();
    this.messageSeconds = messageSeconds;
    int workers = codes.tree().workers();
    this.seconds = new double[workers];
    this.ready = new double[workers + 1][];
    Arrays.setAll(ready, i -> new double[codes.childrenOf(i + RegularTree.MASTER).length]);
    this.sorted = Arrays.stream(ready).map(double[]::clone).toArray(double[][]::new);
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

  /** How many answers are taken until the sum follows from them. */
  private static int enough(GradientCode code, double[] answers, double[] inOrder) {
    if (!(code instanceof RepetitionCode)) {
      return code.children() - code.stragglers();
    }
    // Until that of the part of which the first answer comes last.
    double last = 0;
    int withLast = 0;
    for (int part = 0; part < code.parts(); part++) {
      double first = answers[part];
      for (int child = part + code.parts(); child < answers.length; child += code.parts()) {
        first = Math.min(first, answers[child]);
      }
      withLast = first > last ? 1 : withLast + (first == last ? 1 : 0);
      last = Math.max(last, first);
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
