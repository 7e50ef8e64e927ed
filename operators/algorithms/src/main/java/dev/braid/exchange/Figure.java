package dev.braid.exchange;

import java.util.List;
import java.util.Optional;

/**
 * The statistics of a rank's rounds and of its exchange. Each is declared only here: exchanges
 * write them into {@link FigureValues}, and metrics, sums over epochs, evaluations and their JSON
 * loop over the constants. The help text of a figure's metric describes it.
 *
 * <p>Checkpoints contain the values in this order. Add a constant at the end, so that checkpoints
 * without it remain readable. A figure that is added to evaluations must be {@linkplain
 * Per#mayBeUnknown one that may be unknown}, because histories of earlier runs lack it.
 */
public enum Figure {
  COMPUTE_TIME(
      Unit.NANOS,
      Aggregation.EACH_ROUND,
      Per.WORKER,
      "computeSeconds",
      "gradient_seconds",
      "Time to compute the last gradient."),

  /** Time to apply and hand over the gradient, where workers do not wait for each other. */
  EXCHANGE_TIME(
      Unit.NANOS,
      Aggregation.EACH_ROUND,
      Per.WORKER,
      "exchangeSeconds",
      "exchange_seconds",
      "Time from the last gradient to the end of its round."),
  WAIT_TIME(
      Unit.NANOS,
      Aggregation.EACH_ROUND,
      Per.WORKER,
      "waitSeconds",
      "wait_seconds",
      "Time from the end of the previous round to the start of the last gradient."),
  STALENESS(
      Unit.NUMBER,
      Aggregation.EACH_ROUND,
      Per.ROUND,
      "staleness",
      "staleness",
      "Mean number of another worker's gradients that were missing in the weights of "
          + "the last gradient."),

  /** Worst staleness of all gradients. */
  WORST_STALENESS(Unit.COUNT, Aggregation.MAX, Per.RUN, "worstStaleness"),
  PARTITIONS(
      Unit.COUNT,
      Aggregation.EACH_ROUND,
      Per.ROUND,
      "partitions",
      "partitions",
      "Parts into which ako divides a gradient (p)."),

  /**
   * γ·m·(n − 1)/p, the rate at which a rank sends if the bandwidth cost model is right (Ako §3.2);
   * 0 without a cost model, or while γ is unknown.
   */
  PLANNED_BANDWIDTH(
      Unit.BYTES_PER_SECOND, Aggregation.EACH_ROUND, Per.ROUND, "plannedBytesPerSecond"),
  KEPT_VECTORS(
      Unit.COUNT,
      Aggregation.MAX,
      Per.RUN,
      "mostVectors",
      "kept_vectors",
      "Vectors of the model's size that an asynchronous exchange keeps in addition "
          + "to the model."),

  /**
   * Sum over both roles of a rank that is a parent as a worker and as the master (CodedReduce
   * §III-B), like the other figures of answers.
   */
  STRAGGLERS(
      Unit.COUNT,
      Aggregation.TOTAL,
      Per.ROUND_OF_ALL,
      "stragglers",
      "stragglers",
      "Workers below this one whose answers the last round's sum did not wait for."),
  LATE_MESSAGES(
      Unit.COUNT,
      Aggregation.TOTAL,
      Per.RUN,
      "lateMessages",
      "late_messages_total",
      "Answers to this worker that arrived when they were no longer needed."),
  DECODED_SETS(
      Unit.COUNT,
      Aggregation.MAX,
      Per.RUN,
      "decodedSets",
      "decoded_sets",
      "Number of different sets of workers whose answers decoded a sum at this worker."),

  /** Time from the rank's own gradient, if that is ready after the last answer. */
  SUM_TIME(
      Unit.NANOS,
      Aggregation.TOTAL,
      Per.SUM,
      "sumSeconds",
      "sum_seconds",
      "Time from the last answer that the last sum needed to the end of its round."),
  DENSITY(
      Unit.NUMBER,
      Aggregation.TOTAL,
      Per.GRADIENT,
      "density",
      "gradient_density",
      "Share of the last gradient's elements that was sent, from 0 to 1, with compression."),

  /** Threshold of the codec; 0 for codecs without one. */
  THRESHOLD(
      Unit.NUMBER,
      Aggregation.TOTAL,
      Per.GRADIENT,
      "threshold",
      "gradient_threshold",
      "Magnitude above which elements of the last gradient were sent, for the mean "
          + "gradient of a batch."),
  RESIDUAL_NORM(
      Unit.NUMBER,
      Aggregation.TOTAL,
      Per.GRADIENT,
      "residualNorm",
      "residual_norm",
      "Euclidean norm of the residual: the part of gradients that compression has "
          + "not sent yet."),
  PLAIN_BYTES(
      Unit.BYTES,
      Aggregation.TOTAL,
      Per.WORKER_THAT_COMPRESSES,
      "plainBytes",
      "plain_gradient_bytes_total",
      "Size of the values of all gradients sent, without compression."),
  SENT_BYTES(
      Unit.BYTES,
      Aggregation.TOTAL,
      Per.WORKER_THAT_COMPRESSES,
      "compressedBytes",
      "sent_gradient_bytes_total",
      "Size of the values of all gradients sent, with compression."),

  /** Number of children of a parent, in exchanges that choose trees repeatedly; 0 in others. */
  TREE_CHILDREN(Unit.COUNT, Aggregation.LAST, Per.TREE, "treeChildren"),

  /** Number of children that a parent does not wait for in this tree. */
  TREE_STRAGGLERS(Unit.COUNT, Aggregation.LAST, Per.TREE, "treeStragglers"),

  /** Expected time of a round when the tree was chosen; NaN for the first tree. */
  PLANNED_TIME(Unit.SECONDS, Aggregation.LAST, Per.TREE, "plannedSeconds"),

  /** Expected time of a round in the previous tree; NaN for the first tree. */
  PLANNED_TIME_BEFORE(Unit.SECONDS, Aggregation.LAST, Per.TREE, "plannedSecondsBefore"),

  /** Number of rounds. */
  ROUNDS(Unit.COUNT, Aggregation.EACH_ROUND),

  /** Number of round sums that a rank has decoded as a parent. */
  SUMS(Unit.COUNT, Aggregation.TOTAL),

  /** Number of compressed gradients. */
  GRADIENTS(Unit.COUNT, Aggregation.TOTAL),

  /** Time from the first answer, at a rank without a gradient. */
  ANSWER_WAIT(
      Unit.NANOS,
      Aggregation.TOTAL,
      "answer_wait_seconds",
      "Time for which the last sum waited for answers after this worker's own gradient was ready."),

  /** t_c, the time to receive one answer; 0 if unknown. */
  MESSAGE_TIME(Unit.SECONDS, Aggregation.EACH_ROUND),
  GRADIENT_RATE(
      Unit.NUMBER,
      Aggregation.EACH_ROUND,
      "gradients_per_second",
      "Gradients that this worker computes per second without waiting (γ of ako)."),
  BANDWIDTH(
      Unit.BYTES_PER_SECOND,
      Aggregation.EACH_ROUND,
      "bandwidth_bytes_per_second",
      "Bytes that this worker can send per second (B of ako)."),
  RELAYED_UPDATES(
      Unit.COUNT,
      Aggregation.TOTAL,
      "relayed_updates_total",
      "Parts of other workers' updates that this worker has relayed (sharing)."),
  DUPLICATE_UPDATES(
      Unit.COUNT,
      Aggregation.TOTAL,
      "duplicate_updates_total",
      "Parts of updates that were discarded as duplicates (sharing).");

  /** Unit of a figure's values. */
  public enum Unit {
    COUNT,
    BYTES,
    NANOS,
    SECONDS,
    BYTES_PER_SECOND,
    /** A real number without a unit. */
    NUMBER
  }

  /** How values are added up over rounds and ranks. */
  public enum Aggregation {
    /**
     * A total since the exchange began. A round counts the difference from the round before, and
     * differences are added.
     */
    TOTAL,
    /** Measured in each round; the values are added. */
    EACH_ROUND,
    /** Measured in each round; the maximum counts. */
    MAX,
    /** The last value counts. All of these describe a tree, and are known together. */
    LAST
  }

  /** The divisor of an epoch's sum over all workers in an evaluation. */
  public enum Per {
    /** Not divided. */
    RUN,
    /** The number of workers. */
    WORKER,
    /** The number of rounds, counted once for each worker. */
    ROUND,
    /** The number of rounds, counted once for all workers. */
    ROUND_OF_ALL,
    /** The number of {@link Figure#SUMS}. */
    SUM,
    /** The number of compressed {@link Figure#GRADIENTS}; unknown if there are none. */
    GRADIENT,
    /** The number of workers; unknown if no gradient was compressed. */
    WORKER_THAT_COMPRESSES,
    /** Not divided; unknown if there is no tree. */
    TREE;

    /** Returns whether a run may lack the value; it is then NaN. */
    public boolean mayBeUnknown() {
      return this == GRADIENT || this == WORKER_THAT_COMPRESSES || this == TREE;
    }
  }

  /** All figures, in order. */
  public static final List<Figure> ALL = List.of(values());

  private static final double NANOS_PER_SECOND = 1e9;

  private final Unit unit;
  private final Aggregation aggregation;
  private final Per per;
  private final String reportName;
  private final String metricKey;
  private final String metricHelp;

  /** Declares a figure that other figures refer to. */
  Figure(Unit unit, Aggregation aggregation) {
    this(unit, aggregation, "", "");
  }

  /** Declares a figure that is only a metric. */
  Figure(Unit unit, Aggregation aggregation, String metricKey, String metricHelp) {
    this(unit, aggregation, Per.RUN, "", metricKey, metricHelp);
  }

  /** Declares a figure that is only in evaluations. */
  Figure(Unit unit, Aggregation aggregation, Per per, String reportName) {
    this(unit, aggregation, per, reportName, "", "");
  }

  Figure(
      Unit unit,
      Aggregation aggregation,
      Per per,
      String reportName,
      String metricKey,
      String metricHelp) {
    this.unit = unit;
    this.aggregation = aggregation;
    this.per = per;
    this.reportName = reportName;
    this.metricKey = metricKey;
    this.metricHelp = metricHelp;
  }

  /** Returns how values are added up. */
  public Aggregation aggregation() {
    return aggregation;
  }

  /** Returns what an epoch's sum is divided by. */
  public Per per() {
    return per;
  }

  /** Returns the name in an evaluation's JSON; empty if evaluations lack the figure. */
  public Optional<String> reportName() {
    return Optional.of(reportName).filter(name -> !name.isEmpty());
  }

  /** Returns the figure's metric; empty if it has none. */
  public Optional<MetricName> metric() {
    return Optional.of(new MetricName(metricKey, metricHelp))
        .filter(metric -> !metric.key().isEmpty());
  }

  /** Returns whether values are whole numbers. */
  public boolean isWhole() {
    return unit == Unit.COUNT || unit == Unit.BYTES;
  }

  /** Returns a value as users see it: times are in seconds. */
  public double shown(double value) {
    return unit == Unit.NANOS ? value / NANOS_PER_SECOND : value;
  }

  /** Returns the index of the figure's value in {@link FigureValues}. */
  @SuppressWarnings("EnumOrdinal") // the index of an array with one element per constant
  int index() {
    return ordinal();
  }
}
