package dev.braid.job.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.run.result.EarlierResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/**
 * A training on a topic on a cluster of processes. The endless run can be stopped and restored any
 * number of times; each time it is another job, with the same results and the same lineage.
 */
final class StreamRun {

  static final int CHECKPOINT_MILLIS = 500;

  /** Number of rounds in a window; each window has a digest. */
  private static final int WINDOW = 10;

  private static final int BATCH = 10;
  private static final int END_SECONDS = 300;

  private final ProcessCluster cluster;
  private final Path out;
  private final StreamTopic topic;
  private final String exchange;
  private ClusterRun job;
  private int jobs;

  /**
   * Starts an endless run.
   *
   * @param out folder of its results
   * @param workers bounds of the number of workers, such as {@code 2..4}
   */
  StreamRun(ProcessCluster cluster, Path out, StreamTopic topic, String exchange, String workers)
      throws IOException {
    this.cluster = cluster;
    this.out = out;
    this.topic = topic;
    this.exchange = exchange;
    this.job = start(workers, "", List.of());
  }

  private ClusterRun start(String workers, String more, List<String> options) throws IOException {
    List<String> words = new ArrayList<>();
    words.add("train");
    words.add(
        "--data={place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: %d, holdout: 0.05%s}"
            .formatted(topic.name(), WINDOW, more));
    words.addAll(List.of("--model=logistic", "--batch=" + BATCH, "--exchange=" + exchange));
    words.addAll(List.of("--workers=" + workers, "--kafka-brokers=" + topic.brokers()));
    words.add("--out=" + out);
    words.addAll(ClusterRun.checkpoints(Path.of(out + "-checkpoints"), CHECKPOINT_MILLIS));
    words.addAll(options);
    // A client's output is named after the job that it waits for.
    Path named = out.resolveSibling(out.getFileName() + "-" + ++jobs);
    return ClusterRun.start(cluster, named, 0, words);
  }

  Path out() {
    return out;
  }

  // ---- how far it is ---------------------------------------------------------------------------

  /** Returns the lineage; empty if its files were merged during the reading. */
  Optional<RecordedRun> recorded() {
    try {
      return Optional.of(RecordedRun.read(out.resolve(EarlierResults.LINEAGE).toString()));
    } catch (IOException | InvalidDataException e) {
      return Optional.empty();
    }
  }

  /** Returns the number of dealt rounds, or -1 if it is unknown. */
  long rounds() {
    return recorded().map(RecordedRun::rounds).orElse(-1L);
  }

  /** Returns the number of workers in the last deal; 0 if it is unknown. */
  int workers() {
    List<Deal> deals = recorded().map(RecordedRun::deals).orElse(List.of());
    return deals.isEmpty() ? 0 : deals.get(deals.size() - 1).workers();
  }

  /** Waits until records are dealt to this many workers, and for a later checkpoint. */
  void awaitTraining(int workers) {
    await(workers + " workers", () -> workers() == workers);
    long checkpoint = lastCheckpoint();
    await("a checkpoint of " + workers + " workers", () -> lastCheckpoint() > checkpoint);
  }

  /** Waits until more rounds are dealt than a number. */
  void awaitRounds(long before) {
    await("rounds after " + before, () -> rounds() > before);
  }

  /**
   * Waits until all tasks run and have started after a time.
   *
   * @param millis milliseconds since 1970
   */
  void awaitRestartAfter(long millis) {
    await("a restart", () -> tasksSince() > millis);
  }

  /** Returns the TaskManagers that run a task, once all tasks run. */
  List<String> awaitThoseThatWork() {
    List<String> working = job.awaitThoseThatWork();
    assertRuns();
    return working;
  }

  /** Returns the earliest start of a task, in milliseconds since 1970; 0 unless all run. */
  private long tasksSince() {
    long since = Long.MAX_VALUE;
    JsonNode tasks = job.json("/jobs/" + job.job().orElse("none")).path("vertices");
    for (JsonNode vertex : tasks) {
      boolean runs = vertex.path("status").asText().equals("RUNNING");
      since = runs ? Math.min(since, vertex.path("start-time").asLong()) : 0;
    }
    return tasks.isEmpty() ? 0 : since;
  }

  private long lastCheckpoint() {
    return checkpoint().path("id").asLong(-1);
  }

  private JsonNode checkpoint() {
    return job.json("/jobs/" + job.job().orElse("none") + "/checkpoints")
        .path("latest")
        .path("completed");
  }

  private void await(String what, BooleanSupplier condition) {
    cluster.await(what, () -> condition.getAsBoolean() || job.hasEnded());
    assertRuns();
  }

  private void assertRuns() {
    assertThat(job.hasEnded()).as(() -> job.output() + cluster.logs()).isFalse();
  }

  // ---- stopping, restoring, ending -------------------------------------------------------------

  /**
   * Cancels the job after a checkpoint; it may train further rounds after that.
   *
   * @param millis training time after the checkpoint
   * @return its last checkpoint
   */
  String cancel(int millis) throws InterruptedException {
    awaitThoseThatWork();
    long before = lastCheckpoint();
    await("a checkpoint", () -> lastCheckpoint() > before);
    MILLISECONDS.sleep(millis);
    String id = job.job().orElseThrow();
    cluster.cancel(id);
    assertThat(cluster.awaitEnd(job.client(), END_SECONDS)).as("an end of the client").isTrue();
    return ClusterRun.group(job.output(), "--restore (\\S+)");
  }

  /** Resumes without an end, in another job. */
  void restore(String checkpoint, String workers) throws IOException {
    job = start(workers, "", List.of("--restore", checkpoint));
  }

  /** Resumes in another job, until all records that the topic has at its start are used. */
  void finish(String checkpoint, String workers) throws Exception {
    job = start(workers, ", until: latest", List.of("--restore", checkpoint));
    boolean ended = cluster.awaitEnd(job.client(), END_SECONDS);
    assertThat(ended).as(() -> "no end\n" + job.output() + cluster.logs()).isTrue();
    assertThat(job.client().exitValue()).as(() -> job.output() + cluster.logs()).isZero();
  }

  /** Ends the run at any stage. */
  void abandon() {
    job.abandon();
  }

  /** Returns the offset after the last record of each partition. */
  static SortedMap<Integer, Long> ends(StreamTopic topic) throws IOException {
    try (TopicOffsets offsets = new TopicOffsets(topic)) {
      return offsets.ends(offsets.describe().partitions());
    }
  }

  /** Returns the topic with a name. */
  static StreamTopic topic(String name, String brokers) {
    return new StreamTopic(name, Map.of("bootstrap.servers", brokers));
  }
}
