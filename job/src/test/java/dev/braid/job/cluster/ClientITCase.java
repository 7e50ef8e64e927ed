package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.ProcessCluster.Host;
import dev.braid.job.console.ExitCodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the client of a run on a cluster says of it, and what a cluster says without one. */
class ClientITCase {

  private static final int TIMEOUT_SECONDS = 120;

  /** More than any test waits for. */
  private static final int ENDLESS = 100_000;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(1);

  /** Trains, with checkpoints where they are by default. */
  private static ClusterRun train(String name, int epochs, String... more) throws IOException {
    List<String> options =
        new ArrayList<>(List.of("--workers", "2", "--checkpoint-interval", "200ms"));
    Collections.addAll(options, more);
    return CLUSTER.train(name, epochs, options.toArray(String[]::new));
  }

  private static void awaitCheckpoint(ClusterRun run) {
    CLUSTER.cluster().await("a checkpoint", () -> run.completedCheckpoints() > 0 || run.hasEnded());
    assertThat(run.hasEnded()).as(run::output).isFalse();
  }

  /** What the client has printed when it has ended. */
  private static String end(ClusterRun run, int exitCode) throws InterruptedException {
    boolean ended = run.client().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(ended).as(() -> run.output() + CLUSTER.cluster().logs()).isTrue();
    assertThat(run.client().exitValue()).as(run::output).isEqualTo(exitCode);
    return run.output();
  }

  private static String flink(String... arguments) throws IOException, InterruptedException {
    Path log = CLUSTER.folder().resolve("client-" + arguments[0] + ".log");
    CLUSTER.cluster().flink(log, arguments).waitFor();
    return Files.readString(log);
  }

  /** What {@code braid result} says, and its exit code at the end. */
  private static String result(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("result", "--flink", CLUSTER.cluster().url()));
    Collections.addAll(words, arguments);
    BraidProcess braid =
        BraidProcess.start(CLUSTER.folder().resolve("result.log"), words.toArray(String[]::new));
    int code = braid.awaitEnd();
    return braid.output() + "code " + code;
  }

  @Test
  void aRunThatIsStopped_goesOnFromItsSavepoint_andCannotBeDrained() throws Exception {
    ClusterRun run = train("stopped", ENDLESS);
    awaitCheckpoint(run);
    String job = run.job().orElseThrow();
    String savepoints = CLUSTER.folder().resolve("stopped-savepoints").toUri().toString();
    assertThat(flink("stop", "--drain", "-p", savepoints, job)).contains("Could not stop");
    CLUSTER.cluster().await("the cause of the restart", () -> run.output().contains("restart 1"));
    assertThat(run.output())
        .containsPattern(
            "restart 1 because of a failure on \\S+: training cannot be drained before its end: stop the job without --drain");
    long before = run.completedCheckpoints();
    CLUSTER.cluster().await("the job to go on", () -> run.completedCheckpoints() > before);

    String path = ClusterRun.group(flink("stop", "-p", savepoints, job), "Path: file:(\\S+)");

    assertThat(end(run, ExitCodes.FAILED))
        .contains(
            "braid: the job was stopped with the savepoint " + path + "; to resume: flink run ")
        .contains(" --restore " + path + "\n");
    assertThat(result(job))
        .contains("the job was stopped with the savepoint " + path)
        .endsWith("code 0");
    assertThat(result(job, "--follow")).contains(path).endsWith("code 1");
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

    String result = result("--follow", job.substring(0, 12));

    assertThat(result)
        .contains("epoch 2/2  loss ", "identical: yes (2 of 2)")
        .contains("--target-accuracy 0.99 was not reached")
        .endsWith("code " + ExitCodes.TARGET_MISSED);
    JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    String digest = ClusterRun.digest(result);
    assertThat(summary.path("digest").asText()).isEqualTo(digest);
    assertThat(summary.path("job").asText()).isEqualTo(job);
    assertThat(CLUSTER.cluster().get("/jobs/" + job + "/accumulators"))
        .contains("\"name\":\"braid.digest\"", "\"value\":\"" + digest + "\"")
        .contains("\"name\":\"braid.ledger\"", "\"name\":\"braid.results-on\"");
    assertThat(result()).contains(job + "  FINISHED");
    assertThat(result("0000no")).contains("JOB 0000no: no such job").endsWith("code 2");
  }

  @Test
  void checkpointsAreBesideTheResults_andTheirTroubleIsTold() throws Exception {
    ClusterRun run = train("checked", ENDLESS);
    awaitCheckpoint(run);
    Path checkpoints = run.out().resolve("checkpoints");
    Path away = run.out().resolve("away");
    Files.move(checkpoints, away);
    Files.writeString(checkpoints, "in the way");
    CLUSTER.cluster().await("the trouble", () -> run.output().contains("checkpoints fail: "));
    Files.delete(checkpoints);
    Files.move(away, checkpoints);
    CLUSTER.cluster().await("its end", () -> run.output().contains("checkpoints work again"));

    flink("cancel", run.job().orElseThrow());

    assertThat(end(run, ExitCodes.FAILED))
        .containsPattern(
            "braid: the job was cancelled; its last checkpoint is .*; to resume: .* --restore "
                + checkpoints
                + "/[0-9a-f]{32}/chk-[0-9]+")
        .containsOnlyOnce("checkpoints fail: ");
  }

  /** {@code FaultyDiskITCase} has such a place in one process. */
  @Test
  @Tag("long")
  void aPlaceThatCannotBeWrittenTo_failsTheJobAtOnce() throws Exception {
    // Which has not trained yet: what a job leaves half-made is not for the next one to find.
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
  void aJobThatWaitsForSlotsSaysSo() throws Exception {
    ClusterRun run = CLUSTER.train("waiting", 1, "--workers", "8");
    CLUSTER
        .cluster()
        .await(
            "the reason",
            () ->
                run.hasEnded()
                    || run.output()
                        .contains("waiting for slots: the job needs 8, and the cluster has 2"));
    assertThat(run.hasEnded()).as(run::output).isFalse();
    run.abandon();
  }

  @Test
  void aTaskManagerWithoutNd4j_failsTheJobAtOnce_andSaysWhatToCopyWhere() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    cluster.keepTaskManagers(0);
    cluster.addTaskManager(Host.WITHOUT_ND4J);
    try {
      ClusterRun run = train("without-nd4j", 1);

      assertThat(end(run, ExitCodes.FAILED))
          .containsPattern(
              "braid: the run failed: ND4J is missing at the TaskManager \\S+:[0-9]+ \\(no class org.nd4j.linalg.factory.Nd4j\\): copy the jars of job/target/cluster-lib into the lib/ folder of its Flink")
          .doesNotContain("restart 1");
    } finally {
      cluster.keepTaskManagers(0);
    }
  }

  @Test
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
          .containsPattern(
              "braid: ND4J is missing here \\(no class org[.]\\S+\\): copy the jars of job/target/cluster-lib into /");

      client = cluster.flink(log, "run", jar, "train", out);
      assertThat(client.waitFor()).as(() -> read(log)).isEqualTo(ExitCodes.USAGE);
      assertThat(read(log)).contains("braid: ND4J is missing at the JobManager (no class org.nd4j");
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
