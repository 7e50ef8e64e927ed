package dev.braid.worker.report;

import dev.braid.exchange.Figure;
import dev.braid.exchange.MetricName;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Braid's metrics, with their names below Flink's scope of an operator. Prometheus shows them as
 * {@code flink_taskmanager_job_task_operator_braid_…}. Names follow its conventions: times are in
 * seconds, sizes in bytes, and values that only grow end with {@code _total}. Such a value starts
 * again at 0 with each attempt of the job. The constants are those metrics that are not declared as
 * a {@link Figure}.
 */
public enum BraidMetric {
  ROUND("round", "Completed rounds."),
  EPOCH("epoch", "Current epoch, from 1."),
  LOSS("loss", "Mean loss of this worker's last batch."),
  TEST_ACCURACY(
      "test_accuracy",
      "Accuracy on this worker's share of the test set after the last epoch, from 0 "
          + "to 1; NaN for a regression."),
  TEST_R2(
      "test_r2",
      "R² on this worker's share of the test set after the last epoch; NaN for classes."),
  SAMPLES("samples_total", "Samples trained on."),
  CHECKPOINT_PAUSE(
      "checkpoint_pause_seconds", "Time for which training paused for the last checkpoint."),
  MEMBERS("members", "Workers that take part in rounds; the others are excluded."),
  IS_MEMBER("is_member", "1 if this worker takes part in rounds, 0 if it is excluded."),
  SENT_AGAIN(
      "messages_resent_total",
      "Messages that this worker has sent again because no acknowledgement arrived in time."),
  LINK_BYTES("link_bytes_total", "Bytes of messages that have arrived over a link."),
  LINK_MESSAGES("link_messages_total", "Messages that have arrived over a link."),
  LINK_LOST(
      "link_lost_messages_total",
      "Messages that chaos events lost on a link, from one rank to another."),
  EGRESS_BACKLOG(
      "egress_backlog_bytes", "Bytes that wait at this worker's shaped line to be sent."),
  INGRESS_BACKLOG(
      "ingress_backlog_bytes", "Bytes that wait at this worker's shaped line to be received."),
  DAMAGED("damaged_messages_total", "Messages lost because their checksum was wrong."),
  EVENTS_APPLIED(
      "chaos_events_applied_total", "Chaos events that took effect at this rank's links."),
  EVENTS_IGNORED(
      "chaos_events_ignored_total", "Chaos events that changed nothing at this rank's links."),
  EVENTS_REJECTED(
      "chaos_events_rejected_total",
      "Records that are not valid chaos events; they are in the dead-letter log."),
  DRIFT(
      "drift",
      "Distance of the last window's loss above the mean of earlier windows, in "
          + "standard deviations; NaN without windows."),
  UNDEALT_OFFSETS("undealt_offsets", "Committed offsets of the topic that no round has used yet."),
  RECORD_AGE_MEDIAN(
      "record_age_median_seconds",
      "Median time from a record's timestamp to the end of the round that trained on it, over the"
          + " last 15 to 30 seconds; NaN without records."),
  RECORD_AGE_P99(
      "record_age_p99_seconds",
      "The 99th percentile of the same times: one record in a hundred was older."),
  REFUSED_RECORDS(
      "refused_records_total",
      "Records of the topic that are not valid samples; they are in its dead letters."),
  LOST_DEAD_LETTERS(
      "lost_dead_letters_total", "Refused records that could not be written as dead letters."),
  LOST_OFFSETS(
      "lost_offsets_total", "Offsets left out because the topic no longer had their records."),
  PUBLISHED_VERSION(
      "published_version",
      "Number of the newest model version that this attempt of the training has "
          + "published; 0 if none."),
  PUBLISHED_VERSION_AGE(
      "published_version_age_seconds",
      "Time since this attempt of the training last published a version; NaN before "
          + "the first version."),
  SERVED_VERSION(
      "served_version",
      "Number of the model version that scores records; 0 before the first version."),
  SERVED_VERSION_AGE(
      "served_version_age_seconds",
      "Time since the version that scores records was published; NaN before the first one."),
  VERSION_SWAPS("version_swaps_total", "Number of versions that replaced an earlier one."),
  REFUSED_VERSIONS(
      "refused_versions_total",
      "Published versions that could not be loaded or need other samples; see the log."),
  SCORED_RECORDS("scored_records_total", "Records scored."),
  SCORING_ERRORS("scoring_errors_total", "Records that could not be scored.");

  /** Group of all of Braid's metrics. */
  public static final String GROUP = "braid";

  /** Group of a link's metrics whose value is the sender's rank. */
  public static final String FROM = "from";

  /** Group of a link's metrics whose value is the receiver's rank. */
  public static final String TO = "to";

  private final String key;
  private final String help;

  BraidMetric(String key, String help) {
    this.key = key;
    this.help = help;
  }

  /** Returns all metrics, including those of figures. */
  public static Stream<MetricName> all() {
    return Stream.concat(
        Stream.of(values()).map(metric -> new MetricName(metric.key, metric.help)),
        Figure.ALL.stream().flatMap(figure -> figure.metric().stream()));
  }

  /** Returns the name within the group. */
  public String key() {
    return key;
  }

  /** Returns the metric of this name within the group, if there is one. */
  public static Optional<MetricName> named(String key) {
    return all().filter(metric -> metric.key().equals(key)).findFirst();
  }
}
