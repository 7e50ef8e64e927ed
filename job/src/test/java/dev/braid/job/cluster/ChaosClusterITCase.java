package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chaos events on a cluster of separate processes, through Flink's own client and a real Kafka
 * broker: faults outlive the TaskManager that is killed, and training ends though the source of
 * events has no end.
 */
class ChaosClusterITCase {

  private static final int RUN_TIMEOUT_SECONDS = 300;
  private static final String DELAY =
      "{\"version\":1,\"id\":\"d\",\"action\":\"delay\",\"delayMillis\":3,\"target\":{\"level\":1}}";
  private static final String HEAL =
      "{\"version\":1,\"id\":\"h\",\"action\":\"heal\",\"target\":{\"level\":1}}";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static ProcessCluster cluster;
  private static BrokerProcess broker;

  @BeforeAll
  static void start() throws Exception {
    broker = new BrokerProcess(Files.createDirectories(folder.resolve("broker")));
    cluster = new ProcessCluster(Files.createDirectories(folder.resolve("cluster")));
    cluster.addTaskManager();
    cluster.addTaskManager();
    cluster.awaitTaskManagers(2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
    broker.close();
  }

  @Test
  void faultsOutliveAKilledTaskManagerAndChangeNoBit() throws Exception {
    String undisturbed = digest(finish(train("calm"), "calm"));
    KafkaTopic topic = new KafkaTopic(broker.address(), "events", new TreeMap<>());
    Path applied = folder.resolve("chaos").resolve("chaos-applied.jsonl");
    Process run =
        train(
            "chaos",
            "--chaos-topic",
            topic.name(),
            "--kafka-brokers",
            topic.brokers(),
            "--checkpoint-dir",
            folder.resolve("checkpoints").toUri().toString(),
            "--checkpoint-interval",
            "300ms");
    cluster.await("a run", () -> Files.exists(applied));
    send(topic, DELAY);
    cluster.await("the delay", () -> lines(applied).stream().anyMatch(is("applied", "d")));
    long before = checkpoints();
    cluster.await("2 checkpoints", () -> checkpoints() > before + 1);
    cluster.killNewestTaskManager();
    cluster.addTaskManager();
    send(topic, HEAL);
    cluster.await("the end of the delay", () -> lines(applied).stream().anyMatch(is("ended", "d")));
    assertThat(digest(finish(run, "chaos"))).isEqualTo(undisturbed);
    assertThat(lines(applied)).anyMatch(is("applied", "h")).noneMatch(is("ignored", "h"));
    assertThat(KafkaTopics.read(topic.applied())).containsAll(lines(applied));
  }

  private static java.util.function.Predicate<String> is(String outcome, String id) {
    return line ->
        line.contains("\"outcome\":\"" + outcome + "\"") && line.contains("\"id\":\"" + id + "\"");
  }

  private static void send(KafkaTopic topic, String event) throws Exception {
    try (KafkaTopics.Lines lines = KafkaTopics.write(topic)) {
      lines.add(event);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long checkpoints() {
    Matcher job =
        Pattern.compile("\"id\":\"(\\w{32})\",\"status\":\"RUNNING\"")
            .matcher(cluster.get("/jobs"));
    return job.find()
        ? ProcessCluster.number(
            cluster.get("/jobs/" + job.group(1) + "/checkpoints"), "\"completed\":")
        : -1;
  }

  private static Process train(String name, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("run", Path.of("target", "braid.jar").toAbsolutePath().toString()));
    command.addAll(List.of("train", "--epochs", "4", "--exchange", "tree", "--workers", "4"));
    command.addAll(List.of("--out", folder.resolve(name).toString()));
    command.addAll(List.of(options));
    return cluster.flink(folder.resolve(name + ".out"), command.toArray(String[]::new));
  }

  private static String finish(Process run, String name) throws Exception {
    boolean ended = run.waitFor(RUN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    String output = Files.readString(folder.resolve(name + ".out"));
    run.destroyForcibly();
    assertThat(ended).as(() -> output + cluster.logs()).isTrue();
    assertThat(run.exitValue()).as(() -> output + cluster.logs()).isZero();
    return output;
  }

  private static String digest(String output) {
    Matcher matcher = Pattern.compile("digest +([0-9a-f]{64})").matcher(output);
    assertThat(matcher.find()).as(output).isTrue();
    return matcher.group(1);
  }
}
