package dev.braid.bench.scale;

import dev.braid.coding.CodeTree;
import dev.braid.topology.RegularTree;
import java.util.List;

/**
 * A row of CodedReduce's evaluation (Reisizadeh et al. 2021, §IV): a cluster, a resiliency, and how
 * many times as fast CodedReduce was as each scheme.
 *
 * @param workers N
 * @param children n of CodedReduce's tree
 * @param stragglers s of it, α·n; the other schemes leave S = α·N out
 * @param paper the paper's speed-ups, by scheme
 */
record CodedCase(Task task, int workers, int children, int stragglers, Speedups paper) {

  /** What is trained. */
  enum Task {
    LOGISTIC("logistic regression", 6552, 5001),
    LINEAR("linear regression", 7644, 6500),
    LARGE_LINEAR("linear regression", 32_760, 5000),
    CIFAR("CNN on CIFAR-10", 49_920, 120_000);

    private final String title;
    private final int samples;
    private final int parameters;

    Task(String title, int samples, int parameters) {
      this.title = title;
      this.samples = samples;
      this.parameters = parameters;
    }

    int samples() {
      return samples;
    }

    /** Whether the descent is computed, too; the data of the others is too large. */
    boolean isTrained() {
      return this == LOGISTIC || this == LINEAR;
    }

    /** Synthetic data of the same shape, of a regression. */
    RegressionRounds data(long seed) {
      return new RegressionRounds(this == LOGISTIC, samples, parameters, seed);
    }

    @Override
    public String toString() {
      return "%s, d = %d, p = %d".formatted(title, samples, parameters);
    }
  }

  /** What CodedReduce is compared with. */
  enum Scheme {
    /** A master that waits for all. */
    UNCODED,
    /** A master that decodes the sum of any N − S. */
    GRADIENT_CODING,
    RING,
    /** A master that takes the first N − S. */
    DROP_STRAGGLERS,
    /** CodedReduce itself. */
    CODED
  }

  /** How many times as fast CodedReduce is as each of the others. */
  record Speedups(double uncoded, double gradientCoding, double ring, double dropStragglers) {

    double[] all() {
      return new double[] {uncoded, gradientCoding, ring, dropStragglers};
    }
  }

  /** Figures 8 to 13. With 84 workers the tree is (4, 3), as 12 + 144 are too many. */
  static final List<CodedCase> ALL =
      List.of(
          new CodedCase(Task.LOGISTIC, 84, 4, 1, new Speedups(32.8, 5.3, 3.8, 3.2)),
          new CodedCase(Task.LOGISTIC, 156, 12, 1, new Speedups(32.3, 27.2, 7.0, 25.4)),
          new CodedCase(Task.LOGISTIC, 156, 12, 2, new Speedups(29.3, 23.3, 6.4, 21.9)),
          new CodedCase(Task.LOGISTIC, 156, 12, 3, new Speedups(25.0, 16.8, 5.4, 15.4)),
          new CodedCase(Task.LINEAR, 84, 4, 1, new Speedups(24.1, 4.6, 3.0, 2.8)),
          new CodedCase(Task.LINEAR, 156, 12, 1, new Speedups(31.7, 22.0, 5.2, 20.7)),
          new CodedCase(Task.LINEAR, 156, 12, 2, new Speedups(27.1, 18.1, 4.4, 16.8)),
          new CodedCase(Task.LINEAR, 156, 12, 3, new Speedups(22.2, 13.7, 3.6, 13.0)),
          new CodedCase(Task.LARGE_LINEAR, 156, 12, 3, new Speedups(11.3, 9.7, 1.69, 6.1)),
          new CodedCase(Task.CIFAR, 156, 12, 5, new Speedups(6.6, 4.8, 1.8, 4.0)));

  /** S: how many of all workers gradient coding, and dropping, do not wait for. */
  int leftOut() {
    return workers * stragglers / children;
  }

  /**
   * How much slower than CodedReduce a master that waits for all can be at most, by the two last
   * figures of the row: when all gradients are ready, which a ring waits for, too, the master has
   * all N messages yet to take at most, and dropping takes N − S of the same.
   */
  double mostUncoded() {
    return paper.ring() + paper.dropStragglers() * workers / (workers - leftOut());
  }

  /** Whether the model can give the row, whatever its times. */
  boolean isPossible() {
    return paper.uncoded() <= mostUncoded();
  }

  /** CodedReduce's tree. */
  CodeTree codes() {
    return new CodeTree(new RegularTree(workers, children), stragglers);
  }

  /** The share of all samples that a worker computes. */
  double load(Scheme scheme) {
    return switch (scheme) {
      case CODED -> codes().load();
      case GRADIENT_CODING -> (leftOut() + 1.0) / workers;
      case UNCODED, RING, DROP_STRAGGLERS -> 1.0 / workers;
    };
  }

  /** As in the table's first columns. */
  String alpha() {
    return stragglers + "/" + children;
  }
}
