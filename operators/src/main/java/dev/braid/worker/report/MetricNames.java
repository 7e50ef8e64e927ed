package dev.braid.worker.report;

/**
 * The names of Braid's metrics, below Flink's scope for the operator. Prometheus sees them as
 * {@code flink_taskmanager_job_task_operator_braid_…}.
 */
public final class MetricNames {

  /** The group of all of Braid's metrics. */
  public static final String GROUP = "braid";

  /** Gauge: rounds complete. */
  public static final String ROUND = "round";

  /** Gauge: the epoch under way, from 1. */
  public static final String EPOCH = "epoch";

  /** Gauge: mean loss of this rank's last batch. */
  public static final String LOSS = "loss";

  /**
   * Gauge: accuracy on this rank's share of the test set after the last epoch, from 0 to 1; NaN
   * where samples have values.
   */
  public static final String TEST_ACCURACY = "testAccuracy";

  /** Gauge: R² on this rank's share of the test set after the last epoch; NaN for classes. */
  public static final String TEST_R2 = "testR2";

  /** Counter: samples trained on. */
  public static final String SAMPLES = "samples";

  /** Gauge: time to compute the last gradient. */
  public static final String GRADIENT_MILLIS = "gradientMillis";

  /** Gauge: time from the last gradient to the end of its round. */
  public static final String EXCHANGE_MILLIS = "exchangeMillis";

  /** Gauge: time from the end of the round before to the beginning of the last gradient. */
  public static final String WAIT_MILLIS = "waitMillis";

  /** Gauge: gradients of another rank, on average, that the last gradient's weights lacked. */
  public static final String STALENESS = "staleness";

  /** Gauge: how long training stood still for the last checkpoint. */
  public static final String CHECKPOINT_PAUSE_MILLIS = "checkpointPauseMillis";

  /** Gauge: how many workers take part in rounds; others are cut off. */
  public static final String MEMBERS = "members";

  /** Gauge: 1 if this rank takes part in rounds, 0 if it is cut off. */
  public static final String IS_MEMBER = "isMember";

  /** Gauge: Ako's p. */
  public static final String PARTITIONS = "partitions";

  /** Gauge: Ako's γ, gradients that this rank computes in a second while nothing holds it up. */
  public static final String GRADIENT_RATE = "gradientsPerSecond";

  /** Gauge: Ako's B, bytes that this rank can send in a second. */
  public static final String BANDWIDTH = "bandwidthBytesPerSecond";

  /** Gauge: vectors of the model's size that an asynchronous exchange keeps beside the model. */
  public static final String KEPT_VECTORS = "keptVectors";

  /** Gauge: workers below this one for whose answers the last round's sum did not wait. */
  public static final String STRAGGLERS = "stragglers";

  /** Gauge: answers to this rank that came when they were not needed any more. */
  public static final String LATE_MESSAGES = "lateMessages";

  /** Gauge: how many different sets of workers sums were made of here. */
  public static final String DECODED_SETS = "decodedSets";

  /** Gauge: time from the last answer that the last sum needed to the end of its round. */
  public static final String SUM_MILLIS = "sumMillis";

  /** Gauge: how long the last sum waited for answers when this rank's own gradient was there. */
  public static final String ANSWER_WAIT_MILLIS = "answerWaitMillis";

  /** Gauge: the share of the last gradient's elements that was sent, where it is compressed. */
  public static final String DENSITY = "gradientDensity";

  /** Gauge: the last threshold of a gradient's elements, of the mean of a batch. */
  public static final String THRESHOLD = "gradientThreshold";

  /** Gauge: the Euclidean length of what is not sent yet of gradients. */
  public static final String RESIDUAL_NORM = "residualNorm";

  /** Gauge: bytes of the gradients' values that were sent, had they not been compressed. */
  public static final String PLAIN_GRADIENT_BYTES = "plainGradientBytes";

  /** Gauge: bytes of the gradients' values that were sent, compressed. */
  public static final String SENT_GRADIENT_BYTES = "sentGradientBytes";

  /** Gauge: parts of others' updates that this rank has relayed, in gradient sharing. */
  public static final String RELAYED_UPDATES = "relayedUpdates";

  /** Gauge: parts of updates that came when they were here already, and were discarded. */
  public static final String DUPLICATE_UPDATES = "duplicateUpdates";

  /** Counter: messages that this rank has sent again, since they were lost, or seemed to be. */
  public static final String SENT_AGAIN = "messagesSentAgain";

  /** Counter, for each link (groups {@code from} and {@code to}): bytes of messages. */
  public static final String LINK_BYTES = "linkBytes";

  /** Counter, for each link (groups {@code from} and {@code to}): messages. */
  public static final String LINK_MESSAGES = "linkMessages";

  /** Counter, for each link (groups {@code from} and {@code to}): messages lost to chaos events. */
  public static final String LINK_LOST = "linkLost";

  /** Gauge: bytes that a shaped line has not let out yet. */
  public static final String EGRESS_BACKLOG = "egressBacklogBytes";

  /** Gauge: bytes that a shaped line has not let in yet. */
  public static final String INGRESS_BACKLOG = "ingressBacklogBytes";

  /** Counter: messages lost because their checksum did not fit. */
  public static final String DAMAGED = "damagedMessages";

  /** Counter: chaos events that took effect at this rank's links. */
  public static final String EVENTS_APPLIED = "chaosApplied";

  /** Counter: chaos events that changed nothing at this rank's links. */
  public static final String EVENTS_IGNORED = "chaosIgnored";

  /** Counter: malformed or impossible chaos events, which went to the dead letters. */
  public static final String EVENTS_REJECTED = "chaosRejected";

  /** The group whose value is the sender's rank. */
  public static final String FROM = "from";

  /** The group whose value is the receiver's rank. */
  public static final String TO = "to";

  private MetricNames() {}
}
