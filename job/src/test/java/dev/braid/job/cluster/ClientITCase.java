package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.job.CommandRun;
import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.ProcessCluster.Host;
import dev.braid.job.console.ExitCodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages of the client of a run on a cluster, and of the cluster without a client. */
class ClientITCase {

  private static final int TIMEOUT_SECONDS = 300;

  /** More epochs than any test waits for. */
  private static final int ENDLESS = 100_000;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(1);

  /**
   * Trains with checkpoints at their default place, mostly waiting for shaped links instead of
   * computing.
   */
  private static ClusterRun train(String name, int epochs) throws IOException {
    List<String> options =
        new ArrayList<>(List.of("--workers", "2", "--checkpoint-interval", "200ms"));
    options.addAll(List.of("--links", "10ms"));
    return CLUSTER.train(name, epochs, options.toArray(String[]::new));
  }

  private static void awaitCheckpoint(ClusterRun run) {
    CLUSTER.cluster().await("a checkpoint", () -> run.completedCheckpoints() > 0 || run.hasEnded());
    assertThat(run.hasEnded()).as(run::output).isFalse();
  }

  /** Returns the output of the client after its end. */
  private static String end(ClusterRun run, int exitCode) throws InterruptedException {
    boolean ended = CLUSTER.cluster().awaitEnd(run.client(), TIMEOUT_SECONDS);
    assertThat(ended).as(() -> run.output() + CLUSTER.cluster().logs()).isTrue();
    assertThat(run.client().exitValue()).as(run::output).isEqualTo(exitCode);
    return run.output();
  }

  private static String flink(String... arguments) throws IOException, InterruptedException {
    Path log = CLUSTER.folder().resolve("client-" + arguments[0] + ".log");
    CLUSTER.cluster().flink(log, arguments).waitFor();
    return Files.readString(log);
  }

  /** Runs {@code braid result}. */
  private static CommandRun result(String... arguments) {
    List<String> words = new ArrayList<>(List.of("result", "--flink", CLUSTER.cluster().url()));
    Collections.addAll(words, arguments);
    return CommandRun.withErrorOutput(words.toArray(String[]::new));
  }

  @Test
  void aRunTellsOfItsTrouble_cannotBeDrained_andGoesOnFromItsSavepoint() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    ClusterRun run = train("stopped", ENDLESS);
    awaitCheckpoint(run);
    String job = run.job().orElseThrow();
    Path checkpoints = run.out().resolve("checkpoints");
    Path away = run.out().resolve("away");
    InTheWay.put(checkpoints, away);
    cluster.await("the trouble", () -> run.output().contains("checkpoints fail: "));
    Files.delete(checkpoints);
    try {
      Files.move(away, checkpoints);
    } catch (FileSystemException e) {
      // Flink has already created the folder again, for the next checkpoint.
      assertThat(checkpoints).isDirectory();
    }
    cluster.await("its end", () -> run.output().contains("checkpoints succeed again"));
    assertThat(run.output()).containsOnlyOnce("checkpoints fail: ");

    String savepoints = CLUSTER.folder().resolve("stopped-savepoints").toUri().toString();
    assertThat(cluster.flinkHere("stop", "--drain", "-p", savepoints, job).output())
        .contains("Could not stop");
    cluster.await("the cause of the restart", () -> run.output().contains("restart 1"));
    assertThat(run.output())
        .containsPattern(
            "restart 1 because of a failure on \\S+: training cannot be drained before its end:"
                + " stop the job without --drain");
    long before = run.completedCheckpoints();
    cluster.await("the job to resume", () -> run.completedCheckpoints() > before);

    String path =
        ClusterRun.group(
            cluster.flinkHere("stop", "-p", savepoints, job).output(), "Path: file:(\\S+)");

    assertThat(end(run, ExitCodes.FAILED))
        .contains(
            "braid: the job was stopped with the savepoint " + path + "; to resume: flink run ")
        .contains(" --restore " + path + "\n");
    CommandRun told = result(job);
    assertThat(told.exitCode()).as(told::err).isZero();
    assertThat(told.out()).contains("the job was stopped with the savepoint " + path);
    CommandRun followed = result(job, "--follow");
    assertThat(followed.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(followed.err()).contains(path);
  }

  @Test
  void aRunThatNobodyFollows_hasItsResultInTheClusterAndInAFile() throws Exception {
    List<String> before = ClusterRun.jobs(CLUSTER.cluster());
    Path out = CLUSTER.folder().resolve("detached");
    String output =
        flink(
            "run",
            "-d",
            Path.of("target", "braid.jar").toAbsolutePath().toString(),
            "train",
            SmallMnist.option(),
            "--model=logistic",
            "--workers=2",
            "--epochs=2",
            "--target-accuracy=0.99",
            "--out=" + out);
    String job = ClusterRun.group(output, "(?m)^job ([0-9a-f]{32})$");
    assertThat(before).doesNotContain(job);
    assertThat(output).contains("braid result --flink " + CLUSTER.cluster().url() + " " + job);

    CommandRun result = result("--follow", job.substring(0, 12));

    assertThat(result.exitCode()).as(result::err).isEqualTo(ExitCodes.TARGET_MISSED);
    assertThat(result.out()).contains("epoch 2/2  loss ", "identical: yes (2 of 2)");
    assertThat(result.err()).contains("--target-accuracy 0.99 was not reached");
    JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    String digest = ClusterRun.digest(result.out());
    assertThat(summary.path("digest").asText()).isEqualTo(digest);
    assertThat(summary.path("job").asText()).isEqualTo(job);
    assertThat(CLUSTER.cluster().awaitAnswer("/jobs/" + job + "/accumulators"))
        .contains("\"name\":\"braid.digest\"", "\"value\":\"" + digest + "\"")
        .contains("\"name\":\"braid.ledger\"", "\"name\":\"braid.results-on\"");
    assertThat(result().out()).contains(job + "  FINISHED");
    result("0000no").assertMistake("JOB 0000no: no such job");
  }

  @Test
  @Tag("long")
  void boundsOfWorkersAreRefusedWhereTheSchedulerKeepsToNone() throws Exception {
    ClusterRun run = CLUSTER.train("bounds", 1, "--workers", "2..4");
    assertThat(end(run, ExitCodes.USAGE))
        .contains("braid: --workers 2..4: ", "jobmanager.scheduler: adaptive");
    assertThat(run.job()).isEmpty();
  }

  /** {@code FaultyDiskITCase} tests such a place in one process. */
  @Test
  @Tag("long")
  void aPlaceThatCannotBeWrittenTo_failsTheJobAtOnce() throws Exception {
    // The TaskManager is new, because a job must not find unfinished work of an earlier one.
    CLUSTER.cluster().keepTaskManagers(0);
    CLUSTER.cluster().keepTaskManagers(1);
    Path file = Files.writeString(CLUSTER.folder().resolve("a-file"), "");
    String output =
        flink(
            "run",
            Path.of("target", "braid.jar").toAbsolutePath().toString(),
            "train",
            SmallMnist.option(),
            "--model=logistic",
            "--workers=2",
            "--checkpoint-dir=" + CLUSTER.folder().resolve("unwritable-checkpoints").toUri(),
            "--out=" + file + "/x");

    assertThat(output)
        .contains("braid: " + file + "/x/history.jsonl cannot be written: Not a directory")
        .doesNotContain("restart 1");
    train("after-failure", 1).finish();
  }

  @Test
  @Tag("long")
  void aJobThatWaitsForSlotsSaysSo_andThatItWasCancelled() throws Exception {
    ClusterRun run = CLUSTER.train("waiting", 1, "--workers", "8");
    String waits = "waiting for slots: the job needs 8, and the cluster has 2";
    CLUSTER.cluster().await("the reason", () -> run.hasEnded() || run.output().contains(waits));
    assertThat(run.hasEnded()).as(run::output).isFalse();

    CLUSTER.cluster().flinkHere("cancel", run.job().orElseThrow());

    assertThat(end(run, ExitCodes.FAILED))
        .contains("braid: the job was cancelled; it has no known checkpoint");
  }

  @Test
  @Tag("long")
  void aTaskManagerWithoutNd4j_failsTheJobAtOnce_andSaysWhatToCopyWhere() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    String without = cluster.addTaskManager(Host.WITHOUT_ND4J);
    cluster.awaitTaskManagers(2);
    try {
      ClusterRun run = CLUSTER.train("without-nd4j", 1, "--workers", "4");

      assertThat(end(run, ExitCodes.FAILED))
          .containsPattern(
              "braid: the run failed: ND4J is missing at the TaskManager \\S+:[0-9]+ \\(no class"
                  + " org.nd4j.linalg.factory.Nd4j\\): .*cluster-lib.* the lib/ folder of its Flink")
          .doesNotContain("restart 1");
    } finally {
      cluster.killTaskManager(without);
    }
  }

  @Test
  @Tag("long")
  void aClientOrAJobManagerWithoutNd4j_isAMistake() throws Exception {
    Path home = Files.createDirectories(CLUSTER.folder().resolve("without-nd4j-cluster"));
    try (ProcessCluster cluster =
        new ProcessCluster(home, Host.WITHOUT_ND4J, ProcessCluster.QUICK_START)) {
      String jar = Path.of("target", "braid.jar").toAbsolutePath().toString();
      String out = "--out=" + home.resolve("out");
      Path log = home.resolve("client.log");
      Process client = cluster.flink(Host.WITHOUT_ND4J, log, "run", jar, "train", out);
      assertThat(client.waitFor()).as(() -> read(log)).isEqualTo(ExitCodes.USAGE);
      assertThat(read(log))
          .containsPattern("braid: ND4J is missing here \\(no class org[.]\\S+\\): .*cluster-lib");

      client = cluster.flink(log, "run", jar, "train", out);
      assertThat(client.waitFor()).as(() -> read(log)).isEqualTo(ExitCodes.USAGE);
      assertThat(read(log)).contains("braid: ND4J is missing at the JobManager (no class org.nd4j");
    }
  }

  @Test
  @Tag("long")
  void aClientWithoutTheDefaultData_isAMistake() throws Exception {
    String jar = Path.of("target", "braid.jar").toAbsolutePath().toString();
    String out = "--out=" + CLUSTER.folder().resolve("without-mnist");
    Path log = CLUSTER.folder().resolve("without-mnist.log");
    Process client = CLUSTER.cluster().flink(Host.WITHOUT_MNIST, log, "run", jar, "train", out);
    assertThat(client.waitFor()).as(() -> read(log)).isEqualTo(ExitCodes.USAGE);
    assertThat(read(log))
        .contains("braid: --data: mnist: the jar braid-mnist is not on the class path: ");
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
