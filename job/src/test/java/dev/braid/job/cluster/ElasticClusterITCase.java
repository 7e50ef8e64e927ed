package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.result.Evaluation;
import dev.braid.job.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A TaskManager is lost, and no slot is free: under Flink's adaptive scheduler, with the settings
 * that docs/cluster.md has, training goes on with the workers that are left, and with all when
 * there is a TaskManager again.
 */
@Timeout(240)
class ElasticClusterITCase {

  private static final int EPOCHS = 10;
  private static final int CHECKPOINT_MILLIS = 500;

  /** In percent; a run that loses nothing has about 97. */
  private static final double LEAST_ACCURACY = 93;

  private static final String FEWER = "2 workers now, of 4 asked for";
  private static final String ALL = "4 workers now, as asked for";

  @TempDir private static Path folder;

  private ProcessCluster cluster;
  private final List<String> taskManagers = new ArrayList<>();

  private void start() throws Exception {
    cluster =
        new ProcessCluster(
            Files.createDirectories(folder.resolve("cluster")),
            ProcessCluster.QUICK_START,
            "jobmanager.scheduler: adaptive",
            "jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout: 1 s",
            "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout: 1 s",
            "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling: 1 s");
    add();
    add();
  }

  private void add() throws IOException {
    taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS));
    cluster.awaitTaskManagers(taskManagers.size());
  }

  private void kill(int index) {
    cluster.killTaskManager(taskManagers.remove(index));
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void goesOnWithTheWorkersThatAreLeft_andWithAllWhenTheyAreBack() throws Exception {
    start();
    ClusterRun run = train("run", "--workers", "2..4");
    awaitCheckpoint(run);
    kill(0);
    awaitLine(run, FEWER);
    awaitCheckpoint(run);
    add();
    awaitLine(run, ALL);

    String output = run.finish();
    assertThat(output.lines().filter(line -> line.contains(" now, "))).containsExactly(FEWER, ALL);
    assertThat(output).contains(ClusterRun.IDENTICAL);
    assertThat(ClusterRun.accuracy(output)).isGreaterThan(LEAST_ACCURACY);
    RunHistory history = RunHistory.read(run.out().resolve("history.jsonl"));
    assertThat(history.head().workers()).isEqualTo(4);
    assertThat(history.head().option("workers")).contains("2..4");
    assertThat(history.evaluations())
        .extracting(Evaluation::epoch)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, EPOCHS).boxed().toList());
    assertThat(history.evaluations()).extracting(Evaluation::samples).containsOnly(60_000L);
    assertThat(history.evaluations()).extracting(Evaluation::testSamples).containsOnly(10_000L);
    assertThat(history.outcome()).isPresent();
  }

  private ClusterRun train(String name, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(ClusterRun.checkpoints(folder.resolve("checkpoints"), CHECKPOINT_MILLIS));
    return ClusterRun.train(cluster, folder.resolve(name), EPOCHS, all.toArray(String[]::new));
  }

  /** One that is made from now on. */
  private void awaitCheckpoint(ClusterRun run) {
    run.awaitThoseThatWork();
    long before = Math.max(0, run.completedCheckpoints());
    cluster.await(
        "another checkpoint", () -> run.completedCheckpoints() > before || run.hasEnded());
    assertThat(run.hasEnded()).as(run::output).isFalse();
  }

  private void awaitLine(ClusterRun run, String line) {
    cluster.await(line, () -> run.output().contains(line) || run.hasEnded());
    assertThat(run.output()).contains(line);
  }
}
