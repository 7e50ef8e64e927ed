package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.BrokerExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Chaos events on a cluster of separate processes, through Flink's own client and a real Kafka
 * broker: faults outlive a killed TaskManager, and training ends although the source of events has
 * no end.
 */
class ChaosClusterITCase {

  /** Delay long enough that the run cannot end before it is healed. */
  private static final String DELAY = "delay level 1 by 100ms id d";

  private static final String HEAL = "heal level 1 id h";

  private static final int EPOCHS = 3;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(2);
  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  @Test
  void faultsOutliveAKilledTaskManagerAndChangeNoBit() throws Exception {
    String undisturbed = CLUSTER.undisturbed("tree", EPOCHS);
    ProcessCluster cluster = CLUSTER.cluster();
    KafkaTopic topic = new KafkaTopic(BROKER.process().address(), "events", new TreeMap<>());
    Path applied = CLUSTER.folder().resolve("chaos/chaos-applied.jsonl");
    List<String> options = new ArrayList<>(List.of("--workers", "4", "--exchange", "tree"));
    options.addAll(List.of("--chaos-topic", topic.name(), "--kafka-brokers", topic.brokers()));
    // Slow links make the run last until the delay is in force, with little computation.
    options.addAll(List.of("--links", "20ms"));
    options.addAll(ClusterRun.checkpoints(CLUSTER.folder().resolve("chaos-checkpoints"), 300));
    // This creates the topic.
    assertThat(KafkaTopics.offsets(topic, false)).isNotEmpty();
    try (KafkaTopics.Lines events = KafkaTopics.write(topic)) {
      ClusterRun run = CLUSTER.train("chaos", EPOCHS, options.toArray(String[]::new));
      cluster.await("a run", () -> Files.exists(applied) || run.hasEnded());
      events.add(DELAY);
      cluster.await("the delay", () -> lines(applied).stream().anyMatch(is("applied", "d")));
      long before = run.completedCheckpoints();
      cluster.await("2 checkpoints", () -> run.completedCheckpoints() > before + 1);
      cluster.killTaskManager(run.awaitThoseThatWork().get(0));
      cluster.addTaskManager();
      events.add(HEAL);
      cluster.await("its end", () -> lines(applied).stream().anyMatch(is("ended", "d")));
      assertThat(ClusterRun.digest(run.finish())).isEqualTo(undisturbed);
      assertThat(run.lastFailureMillis()).as("the last failure").isPositive();
    }
    assertThat(lines(applied))
        .anyMatch(is("touched", "d"))
        .anyMatch(is("applied", "h"))
        .noneMatch(is("ignored", "h"));
    assertThat(KafkaTopics.read(topic.applied())).containsAll(lines(applied));
  }

  private static Predicate<String> is(String outcome, String id) {
    return line ->
        line.contains("\"outcome\":\"" + outcome + "\"") && line.contains(" id " + id + "\"");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
