package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.console.ExitCodes;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs with their lineage in a topic of a real broker. */
class LineageTopicITCase {

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  @TempDir private Path folder;

  private static String brokers() {
    return BROKER.process().address();
  }

  private String[] options(String topic, String lineage, String more, String... others) {
    return Stream.concat(
            Stream.of(
                "--data={place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: 20, lineage: kafka:%s%s}"
                    .formatted(topic, lineage, more),
                "--model=logistic",
                "--batch=10",
                "--workers=2",
                "--kafka-brokers=" + brokers(),
                "--out=" + folder.resolve("out"),
                "--checkpoint-interval=50ms",
                "--checkpoint-dir=" + folder.resolve("checkpoints")),
            Stream.of(others))
        .toArray(String[]::new);
  }

  private static CommandRun train(String... options) {
    return CommandRun.withErrorOutput(
        Stream.concat(Stream.of("train", "--web-port=0"), Stream.of(options))
            .toArray(String[]::new));
  }

  private static JobClient submit(TrainingCluster cluster, String... options) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
    return cluster.submit(TrainingGraph.of(env, options).getJobGraph());
  }

  private static void awaitWindow(JobClient job, int window) {
    TrainingCluster.await(
        () ->
            TrainingCluster.status(job)
                .flatMap(Status::lastEvaluation)
                .filter(last -> last.epoch() >= window)
                .isPresent());
  }

  private Optional<Path> lastCheckpoint() {
    try (Stream<Path> files = Files.walk(folder.resolve("checkpoints"))) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(Path::getParent)
          .max(Comparator.comparingLong(it -> it.toFile().lastModified()));
    } catch (IOException | UncheckedIOException e) {
      // Flink deletes older checkpoints in the meantime.
      return Optional.empty();
    }
  }

  private void assertReplayed(String digest) {
    CommandRun replayed = CommandRun.withErrorOutput("replay", folder.resolve("out").toString());
    assertThat(replayed.exitCode()).as(replayed.out() + replayed.err()).isZero();
    assertThat(replayed.out()).contains("all equal").contains(digest);
  }

  @Test
  void aRunIsCancelled_restored_andReplayed_andAnotherCannotWriteItsLineage() throws Exception {
    BROKER.feed("lin-a", 4_000);
    try (TrainingCluster cluster = new TrainingCluster(TrainingCluster.adaptive(5), 2, 1)) {
      JobClient job = submit(cluster, options("lin-a", "lin-a.lineage", ""));
      awaitWindow(job, 3);
      TrainingCluster.await(() -> lastCheckpoint().isPresent());
      job.cancel().get();
    }
    BROKER.feed("lin-a", 4_000);
    CommandRun restored =
        train(options("lin-a", "lin-a.lineage", ", until: latest", "--restore=latest"));
    assertThat(restored.exitCode()).as(restored.out() + restored.err()).isZero();
    Outcome outcome = RunHistory.read(folder.resolve("out/history.jsonl")).outcome().orElseThrow();
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    assertThat(outcome.ledger()).contains("8,000 offsets");
    assertThat(folder.resolve("out/lineage")).doesNotExist();
    assertReplayed(outcome.digest());

    CommandRun fresh = train(options("lin-a", "lin-a.lineage", ", until: latest"));
    assertThat(fresh.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(fresh.err()).contains("lin-a.lineage", "--restore");

    CommandRun elsewhere =
        train(options("lin-a", "lin-a.other", ", until: latest", "--restore=latest"));
    assertThat(elsewhere.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(elsewhere.err()).contains("kafka:lin-a.lineage");
  }

  @Test
  void ofTwoWritersTheFirstIsStoppedForGood() throws Exception {
    BROKER.feed("lin-b", 4_000);
    try (TrainingCluster cluster = new TrainingCluster(TrainingCluster.adaptive(5), 4, 1)) {
      JobClient first = submit(cluster, options("lin-b", "lin-b.lineage", ""));
      awaitWindow(first, 3);
      String savepoint =
          first
              .triggerSavepoint(folder.resolve("saved").toString(), SavepointFormatType.CANONICAL)
              .get();
      JobClient second =
          submit(cluster, options("lin-b", "lin-b.lineage", "", "--restore=" + savepoint));
      awaitWindow(second, 3);
      BROKER.feed("lin-b", 4_000);
      // The first job notices at its next append, and it may have used all records before the
      // second job claims the lineage.
      TrainingCluster.await(
          () -> {
            BROKER.feed("lin-b", 400);
            return first.getJobStatus().join() == JobStatus.FAILED;
          });
      assertThatThrownBy(() -> first.getJobExecutionResult().get())
          .hasStackTraceContaining("kafka:lin-b.lineage: another");
      awaitWindow(second, 10);
      second.cancel().get();
    }
    assertReplayed("");
  }

  @ParameterizedTest
  @CsvSource({
    "lin-parts, 2, delete, -1, partitions",
    "lin-short, 1, delete, 3600000, retention.ms",
    "lin-compact, 1, compact, -1, cleanup.policy"
  })
  void aTopicThatLosesOrMixesEntriesIsRefused(
      String topic, int partitions, String cleanup, String retention, String named)
      throws Exception {
    BROKER.feed(topic, 100);
    String lineage = topic + ".lineage";
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(lineage, partitions, (short) 1)
                      .configs(Map.of("cleanup.policy", cleanup, "retention.ms", retention))))
          .all()
          .get();
    }
    CommandRun run = train(options(topic, lineage, ", until: latest"));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.err()).contains(lineage, named);
    assertThat(run.err().lines()).hasSize(1);
  }
}
