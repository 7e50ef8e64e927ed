package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.Launcher.Said;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A savepoint of Flink's own client is restored with other numbers of workers. */
@Tag("long")
class SavepointITCase {

  private static final int TIMEOUT_SECONDS = 300;

  /** Enough epochs for a run not to end before it is cancelled. */
  private static final int MANY_EPOCHS = 1000;

  private static final Pattern ROUNDS_IN_PROMETHEUS =
      Pattern.compile("(?m)^flink_taskmanager_job_task_operator_braid_round\\{.*\\} [1-9]");

  /** Least accuracy, in percent. */
  private static final double LEAST_ACCURACY = 88;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster();

  @Test
  void aSavepointOfFourIsRestoredIntoTwoAndIntoEight() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    Path folder = CLUSTER.folder();
    List<String> options = new ArrayList<>(List.of("--workers", "4"));
    options.addAll(ClusterRun.SLOW_LINKS);
    options.addAll(ClusterRun.checkpoints(folder.resolve("checkpoints"), 200));
    Path old = Files.createDirectories(folder.resolve("four")).resolve("model.zip");
    Files.writeString(old, "of an earlier run");
    Files.setLastModifiedTime(old, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    ClusterRun run = CLUSTER.train("four", MANY_EPOCHS, options.toArray(String[]::new));
    cluster.await("rounds in Prometheus", () -> CLUSTER.exports(ROUNDS_IN_PROMETHEUS));
    // Before all tasks run, Flink takes no savepoint.
    run.awaitThoseThatWork();
    String job = run.job().orElseThrow();
    assertThat(cluster.awaitAnswer("/jobs/" + job))
        .contains("\"name\":\"Braid: ring, four.json on mnist, 4 workers\"");
    assertThat(cluster.awaitAnswer("/jobs/" + job + "/config"))
        .contains("\"exchange\":\"ring:compress=none,sharded=off\"");
    String savepoints = folder.resolve("savepoints").toUri().toString();
    String path = ClusterRun.group(flink("savepoint", job, savepoints), "Path: (\\S+)");
    flink("cancel", job);
    cluster.awaitEnd(run.client(), TIMEOUT_SECONDS);
    assertThat(folder.resolve("four/model.zip")).doesNotExist();
    assertThat(folder.resolve("four/earlier/2026-01-01T00-00-00Z/model.zip")).exists();
    assertThat(folder.resolve("four/history.jsonl")).exists();
    // The last checkpoint is the savepoint, unless another was completed before the job ended.
    String ofSavepoint = Pattern.quote(Path.of(URI.create(path)).toString());
    assertThat(run.output())
        .containsPattern(
            "the job was cancelled; .* --restore (/.*/%s/chk-[0-9]+|%s)\\n"
                .formatted(job, ofSavepoint));

    assertLookedAt(path);
    int known = run.history().stream().mapToInt(line -> line.path("epoch").asInt()).max().orElse(0);
    int epochs = Math.max(ClusterRun.EPOCHS, known + 3);
    cluster.keepTaskManagers(4);
    for (int workers : List.of(2, 8)) {
      String name = "restored" + workers;
      String output =
          CLUSTER.train(name, epochs, "--workers", "" + workers, "--restore", path).finish();
      assertThat(output).contains("identical: yes (" + workers + " of " + workers + ")");
      assertThat(ClusterRun.accuracy(output)).isGreaterThan(LEAST_ACCURACY);
    }
  }

  /**
   * Asserts that {@code flink run -s} checks a savepoint before the job starts, like {@code
   * --restore}.
   */
  private static void assertLookedAt(String savepoint) throws IOException, InterruptedException {
    Path log = CLUSTER.folder().resolve("run-s.log");
    Process client =
        CLUSTER
            .cluster()
            .flink(
                log,
                "run",
                "-s",
                savepoint,
                Path.of("target", "braid.jar").toAbsolutePath().toString(),
                "train",
                SmallMnist.option(),
                "--workers=4",
                "--seed=2",
                "--epochs=" + MANY_EPOCHS,
                "--model=" + CLUSTER.folder().resolve("four.json"),
                "--out=" + CLUSTER.folder().resolve("run-s"));
    assertThat(client.waitFor()).as(() -> CLUSTER.cluster().logs()).isNotZero();
    assertThat(Files.readString(log))
        .contains("braid: --restore " + savepoint + ": made with --seed 1, and not 2")
        .doesNotContain("job ");
  }

  /** Returns the output of Flink's client. */
  private static String flink(String... arguments) {
    Said said = CLUSTER.cluster().flinkHere(arguments);
    assertThat(said.exitCode()).as(said::output).isZero();
    return said.output();
  }
}
