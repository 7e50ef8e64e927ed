package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.CommandRun;
import dev.braid.job.console.ExitCodes;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One job trains and publishes versions, another one scores with them, and every process that runs
 * a task of either is killed with {@code kill -9}.
 */
@Tag("long")
class PublishedScoresITCase {

  private static final String TOPIC = "scored";
  private static final int TASK_MANAGERS = 4;

  private static final String ONE_SLOT = "taskmanager.numberOfTaskSlots=1";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private BrokerProcess broker;
  private ProcessCluster cluster;
  private Path registry;

  /** Versions of the scores so far, by partition and offset of their records. */
  private final Map<String, List<String>> versions = new HashMap<>();

  @BeforeEach
  void start() throws Exception {
    broker = new BrokerProcess(folder.resolve("broker"));
    cluster =
        new ProcessCluster(
            folder.resolve("cluster"), ProcessCluster.QUICK_START, "heartbeat.timeout: 5 s");
    registry = folder.resolve("models");
  }

  @AfterEach
  void end() {
    cluster.close();
    broker.close();
  }

  private List<String> options(String command) {
    return List.of(
        command,
        "--data={place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: 10}"
            .formatted(TOPIC),
        "--kafka-brokers=" + broker.address(),
        "--checkpoint-interval=500ms");
  }

  private static List<String> with(List<String> options, String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return all;
  }

  private StreamTopic topic() {
    return StreamRun.topic(TOPIC, broker.address());
  }

  private BraidProcess feed(int recordsPerSecond) throws Exception {
    BraidProcess feed =
        BraidProcess.start(
            folder.resolve("feed.log"),
            "feed",
            "--topic=" + TOPIC,
            "--stream=sea",
            "--rate=" + recordsPerSecond,
            "--kafka-brokers=" + broker.address());
    feed.await(() -> ends(topic()) > 0);
    return feed;
  }

  private static void stop(BraidProcess feed) throws Exception {
    feed.interrupt();
    assertThat(feed.awaitEnd()).as(feed::output).isEqualTo(ExitCodes.INTERRUPTED);
  }

  /** Writes a few records into the topic, which this creates. */
  private void createTopic() {
    CommandRun run =
        CommandRun.ofLine(
            "feed --topic %s --stream sea --records 100 --kafka-brokers %s"
                .formatted(TOPIC, broker.address()));
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private ClusterRun train(int roundsOfVersion) throws IOException {
    return ClusterRun.start(
        cluster,
        folder.resolve("training"),
        0,
        with(
            options("train"),
            "--model=logistic",
            "--workers=2",
            "--batch=10",
            "--out=" + folder.resolve("out"),
            "--checkpoint-dir=" + folder.resolve("training-checkpoints").toUri(),
            "--publish=" + registry,
            "--publish-every=" + roundsOfVersion));
  }

  @Test
  void whateverIsKilled_eachRecordHasOneScore_ofAVersionThatIsRecomputed() throws Exception {
    BraidProcess feed = feed(300);
    List<String> taskManagers = new ArrayList<>();
    for (int i = 0; i < TASK_MANAGERS; i++) {
      taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT));
    }
    cluster.awaitTaskManagers(TASK_MANAGERS);
    ClusterRun training = train(20);
    ClusterRun scoring =
        ClusterRun.start(
            cluster,
            folder.resolve("scoring"),
            0,
            with(
                options("score"),
                "--to=kafka:scores",
                "--models=" + registry,
                "--out=" + folder.resolve("score")));
    try (KafkaConsumer<String, String> scores = consumer()) {
      awaitScores(scores, 500, training, scoring);
      for (String taskManager : taskManagers) {
        int newest = newest();
        cluster.killTaskManager(taskManager);
        cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT);
        cluster.await(
            "scores of a version after v" + newest,
            () -> {
              poll(scores);
              return versions.values().stream()
                  .flatMap(List::stream)
                  .anyMatch(it -> Integer.parseInt(it.substring(1)) > newest);
            });
      }
      stop(feed);
      long records = ends(topic());
      awaitScores(scores, records, training, scoring);
      assertThat(versions).hasSize((int) records);
      assertThat(versions.values()).allSatisfy(each -> assertThat(each).hasSize(1));
    }
    training.client().destroyForcibly();
    TreeSet<String> named = new TreeSet<>();
    versions.values().forEach(named::addAll);
    assertThat(named).hasSizeGreaterThan(TASK_MANAGERS);
    try (ModelRegistry opened = RegistryPlace.folder(registry.toString()).open()) {
      assertThat(opened.numbers().stream().map(number -> "v" + number)).containsAll(named);
    }
    verify();
  }

  /**
   * The processes of a training are killed after checkpoints, while their versions wait for an
   * unavailable registry. Each version is published when the registry is available again.
   */
  @Test
  void killedBetweenCheckpointAndPublication_noVersionIsLost() throws Exception {
    // Rounds that take several seconds: a run keeps at most four versions for an unavailable
    // registry.
    int rounds = 100;
    Path there = Files.createDirectory(folder.resolve("there"));
    Path away = Files.createFile(folder.resolve("away"));
    lead(registry, there);
    createTopic();
    List<String> taskManagers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT));
    }
    cluster.awaitTaskManagers(2);
    ClusterRun training = train(rounds);
    // The records of a slow start would be several versions at once.
    training.awaitThoseThatWork();
    BraidProcess feed = feed(300);
    cluster.await("a version", () -> !rounds().isEmpty() || training.hasEnded());
    assertThat(training.hasEnded()).as(training::output).isFalse();
    lead(registry, away);
    int before = rounds(there).size();
    cluster.await("a version that waits", () -> trained() >= rounds * (before + 1L));
    long checkpoints = training.completedCheckpoints() + 2;
    cluster.await("its checkpoint", () -> training.completedCheckpoints() >= checkpoints);
    // So would those of a slow restart.
    stop(feed);
    for (String taskManager : taskManagers) {
      cluster.killTaskManager(taskManager);
      cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT);
    }
    long more = training.completedCheckpoints() + 1;
    cluster.await(
        "a checkpoint of the new processes", () -> training.completedCheckpoints() > more);
    assertThat(rounds(there)).hasSize(before);
    lead(registry, there);
    BraidProcess next = feed(300);
    cluster.await("versions", () -> rounds().size() > before + 2);
    training.client().destroyForcibly();
    stop(next);
    List<Long> published = rounds();
    assertThat(published)
        .isEqualTo(
            LongStream.rangeClosed(1, published.size()).mapToObj(it -> it * rounds).toList());
    verify();
  }

  /** Returns the round after which the last window ended; 0 before the first one. */
  private long trained() {
    List<Evaluation> windows = RunHistory.read(folder.resolve("out/history.jsonl")).evaluations();
    return windows.isEmpty() ? 0 : windows.get(windows.size() - 1).round();
  }

  /** Changes the target of a link atomically. */
  private static void lead(Path link, Path place) throws IOException {
    Path made = Files.createSymbolicLink(link.resolveSibling("link"), place);
    Files.move(made, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private void verify() {
    CommandRun verified =
        CommandRun.withErrorOutput(
            "models", "verify", registry.toString(), "--kafka-brokers=" + broker.address());
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
  }

  private int newest() throws IOException {
    try (ModelRegistry opened = RegistryPlace.folder(registry.toString()).open()) {
      return opened.numbers().last();
    }
  }

  private List<Long> rounds() {
    return rounds(registry);
  }

  /** Returns the round of each version, by number. */
  private static List<Long> rounds(Path place) {
    try (ModelRegistry opened = RegistryPlace.folder(place.toString()).open()) {
      List<Long> rounds = new ArrayList<>();
      for (int number : opened.numbers()) {
        rounds.add(opened.version(number).orElseThrow().round());
      }
      return rounds;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitScores(
      KafkaConsumer<String, String> scores, long count, ClusterRun training, ClusterRun scoring) {
    cluster.await(
        count + " scores",
        () -> {
          poll(scores);
          boolean hasFailed =
              training.hasEnded()
                  || (!scoring.client().isAlive() && scoring.client().exitValue() != 0);
          assertThat(hasFailed)
              .as(() -> training.output() + scoring.output() + cluster.logs())
              .isFalse();
          return versions.size() >= count;
        });
  }

  private void poll(KafkaConsumer<String, String> scores) {
    if (scores.assignment().isEmpty()) {
      List<TopicPartition> partitions =
          scores.partitionsFor("scores").stream()
              .map(it -> new TopicPartition(it.topic(), it.partition()))
              .toList();
      if (partitions.isEmpty()) {
        // The scoring job creates the topic.
        return;
      }
      scores.assign(partitions);
      scores.seekToBeginning(partitions);
    }
    for (ConsumerRecord<String, String> score : scores.poll(Duration.ofMillis(100))) {
      JsonNode json = json(score.value());
      assertThat(json.has("error")).as(score.value()).isFalse();
      versions
          .computeIfAbsent(
              json.get("partition").asText() + ":" + json.get("offset").asText(),
              key -> new ArrayList<>())
          .add(json.get("version").asText());
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private KafkaConsumer<String, String> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.address(), "isolation.level", "read_committed"),
        new StringDeserializer(),
        new StringDeserializer());
  }

  private static long ends(StreamTopic topic) {
    try {
      return StreamRun.ends(topic).values().stream().mapToLong(Long::longValue).sum();
    } catch (IOException | InvalidDataException e) {
      return 0;
    }
  }
}
