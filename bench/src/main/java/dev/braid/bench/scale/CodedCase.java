package dev.braid.bench.scale;

import dev.braid.coding.CodeTree;
import dev.braid.topology.RegularTree;
import java.util.List;

/**
 * A row of CodedReduce's evaluation (Reisizadeh et al. 2021, §IV): a cluster, a resiliency, and
 * CodedReduce's speed-up over each scheme.
 *
 * @param workers N
 * @param children n of CodedReduce's tree
 * @param stragglers s of CodedReduce's tree, α·n; the other schemes omit S = α·N
 * @param paper the paper's speed-ups, by scheme
 */
record CodedCase(Task task, int workers, int children, int stragglers, Speedups paper) {

  /** The model and data set that is trained. */
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

    /** Returns whether the descent is computed, too; the data of the other tasks are too large. */
    boolean isTrained() {
      return this == LOGISTIC || this == LINEAR;
    }

    /** Returns synthetic data of the same shape, for a regression. */
    RegressionRounds data(long seed) {
      return new RegressionRounds(this == LOGISTIC, samples, parameters, seed);
    }

    @Override
    public String toString() {
      return "%s, d = %d, p = %d".formatted(title, samples, parameters);
    }
  }

  /** The schemes that are compared. */
  enum Scheme {
    /** A master that waits for all workers. */
    UNCODED,
    /** A master that decodes the sum of any N − S workers. */
    GRADIENT_CODING,
    RING,
    /** A master that takes the first N − S gradients. */
    DROP_STRAGGLERS,
    /** CodedReduce itself. */
    CODED
  }

  /** CodedReduce's speed-up over each of the other schemes. */
  record Speedups(double uncoded, double gradientCoding, double ring, double dropStragglers) {

    double[] all() {
      return new double[] {uncoded, gradientCoding, ring, dropStragglers};
    }
  }

  /**
   * The rows of Figures 8 to 13. With 84 workers the tree is (4, 3), because 12 + 144 workers are
   * too many.
   */
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

  /** Returns S, the number of workers for which gradient coding and dropping do not wait. */
  int leftOut() {
    return workers * stragglers / children;
  }

  /**
   * Returns an upper bound on CodedReduce's speed-up over a master that waits for all workers,
   * which follows from the last two figures of the row. Once all gradients are ready, for which a
   * ring waits, too, the master has at most all N messages left to receive, and dropping receives N
   * − S of them.
   */
  double mostUncoded() {
    return paper.ring() + paper.dropStragglers() * workers / (workers - leftOut());
  }

  /** Returns whether the model can reproduce the row with any times. */
  boolean isPossible() {
    return paper.uncoded() <= mostUncoded();
  }

  /** Returns CodedReduce's tree. */
  CodeTree codes() {
    return new CodeTree(new RegularTree(workers, children), stragglers);
  }

  /** Returns the share of all samples that a worker computes. */
  double load(Scheme scheme) {
    return switch (scheme) {
      case CODED -> codes().load();
      case GRADIENT_CODING -> (leftOut() + 1.0) / workers;
      case UNCODED, RING, DROP_STRAGGLERS -> 1.0 / workers;
    };
  }

  /** Returns α, as in the table's first columns. */
  String alpha() {
    return stragglers + "/" + children;
  }
}
