package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.SmallMnist;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A TaskManager is lost while no slot is free. Under Flink's adaptive scheduler, with the times
 * from docs/how-to/rescale.md, training continues with the remaining workers, and with all when a
 * TaskManager is added. {@code RescaledRunITCase} tests the same in one process, and within
 * seconds.
 */
@Tag("long")
@Timeout(600)
class ElasticClusterITCase {

  private static final int EPOCHS = 12;
  private static final int CHECKPOINT_MILLIS = 500;

  /** Least accuracy, in percent; an undisturbed run has about 93. */
  private static final double LEAST_ACCURACY = 88;

  private static final String FEWER = "2 workers now, of 4 requested";

  /** Part of an overview of jobs: a job that has no tasks at the moment. */
  private static final String WAITS = "\"state\":\"CREATED\"";

  private static final String ALL = "4 workers now, as requested";

  @TempDir private static Path folder;

  private static ProcessCluster cluster;

  private final List<String> taskManagers = new ArrayList<>();

  @BeforeAll
  static void startCluster() throws Exception {
    cluster =
        new ProcessCluster(
            Files.createDirectories(folder.resolve("cluster")),
            ProcessCluster.QUICK_START,
            "jobmanager.scheduler: adaptive",
            "jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout: 500 ms",
            "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout: 2 s",
            "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling: 1 s");
  }

  @AfterAll
  static void endCluster() {
    cluster.close();
  }

  @BeforeEach
  void startTaskManagers() throws IOException {
    taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS));
    taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS));
    cluster.awaitTaskManagers(2);
  }

  @AfterEach
  void endTaskManagers() {
    taskManagers.forEach(cluster::killTaskManager);
    cluster.awaitTaskManagers(0);
  }

  private void lose() {
    cluster.killTaskManager(taskManagers.remove(0));
  }

  private void add() throws IOException {
    taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS));
  }

  @Test
  void goesOnWithTheWorkersThatAreLeft_andWithAllWhenTheyAreBack() throws Exception {
    // The 12 epochs last longer than the start of a TaskManager on a busy machine.
    ClusterRun run = train("fewer", EPOCHS, "--workers", "2..4", "--links", "60ms");
    awaitCheckpoint(run);
    lose();
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
    assertThat(history.evaluations())
        .extracting(Evaluation::samples)
        .containsOnly((long) SmallMnist.SAMPLES);
    assertThat(history.evaluations())
        .extracting(Evaluation::testSamples)
        .containsOnly((long) SmallMnist.TEST_SAMPLES);
    assertThat(history.outcome()).isPresent();
  }

  /** The run needs two servers and a worker, so it waits with the two remaining slots. */
  @Test
  void waitsWhereFewerAreLeftThanItsBounds_andGoesOnWhenTheyAreBack() throws Exception {
    ClusterRun run =
        train("waits", ClusterRun.EPOCHS, "--workers=2", "--exchange=ps:servers=2", "--links=20ms");
    awaitCheckpoint(run);
    lose();
    cluster.await("the run to wait for slots", () -> cluster.get("/jobs/overview").contains(WAITS));
    add();

    assertThat(run.finish()).contains("identical: yes (2 of 2)").doesNotContain(" now, ");
    // Otherwise the servers would have tried to run without a worker repeatedly.
    assertThat(cluster.awaitAnswer("/jobs/" + run.job().orElseThrow() + "/exceptions"))
        .contains("exceptionHistory")
        .doesNotContain("no worker is left");
  }

  private static ClusterRun train(String name, int epochs, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(ClusterRun.checkpoints(folder.resolve("checkpoints"), CHECKPOINT_MILLIS));
    return ClusterRun.train(cluster, folder.resolve(name), epochs, all.toArray(String[]::new));
  }

  /** Waits for a checkpoint that starts after this call. */
  private static void awaitCheckpoint(ClusterRun run) {
    run.awaitThoseThatWork();
    long before = Math.max(0, run.completedCheckpoints());
    cluster.await(
        "another checkpoint", () -> run.completedCheckpoints() > before || run.hasEnded());
    assertThat(run.hasEnded()).as(run::output).isFalse();
  }

  private static void awaitLine(ClusterRun run, String line) {
    cluster.await(line, () -> run.output().contains(line) || run.hasEnded());
    assertThat(run.output()).contains(line);
  }
}
