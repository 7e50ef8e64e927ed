package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.Launcher.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's cluster as a user has it, with separate processes. */
class ClusterCommandITCase {

  private static final String JAR = Path.of("target", "braid.jar").toAbsolutePath().toString();

  @TempDir private Path folder;

  /**
   * Replaces Maven with a failing program. The launcher must recognise what Maven has built instead
   * of building it again.
   */
  @BeforeEach
  void makeMavenFail() throws IOException {
    Path maven = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void leaveNothing() throws Exception {
    if (!processes().isEmpty()) {
      cluster("down");
    }
  }

  @Test
  void aClusterIsStartedUsedRepairedAndEnded() throws Exception {
    Said up =
        cluster(
            "up",
            "--task-managers",
            "1",
            "--slots",
            "2",
            "--port",
            port(),
            "-D",
            "env.java.opts.jobmanager=" + String.join(" ", ProcessCluster.QUICK_START));
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(up.output())
        .contains("slots          2 of 2 free, 0 jobs", "web UI         http://127");
    List<ClusterProcess> started = processes();
    assertThat(started)
        .extracting(ClusterProcess::name)
        .containsExactly("jobmanager", "taskmanager-1");
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
      for (ClusterProcess process : started) {
        assertThat(ListeningSockets.of(process.pid()))
            .isNotEmpty()
            .allMatch(InetAddress::isLoopbackAddress);
      }
    }
    Said again = cluster("up");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.output()).contains("runs in " + place() + " already, with 1 TaskManager");

    Said trained = train();
    assertThat(trained.exitCode()).as(trained.output()).isZero();
    assertThat(trained.output())
        .contains("replicas       identical: yes (2 of 2)", "used exactly once in the epoch")
        .doesNotContain("warning");
    CommandRun listed = CommandRun.of("result", "--folder", place().toString());
    assertThat(listed.exitCode()).as(listed::err).isZero();
    assertThat(listed.out()).contains("FINISHED").hasLineCount(1);

    ProcessHandle.of(started.get(1).pid()).orElseThrow().destroyForcibly();
    assertThat(started.get(1).awaitEnd(System.nanoTime() + TimeUnit.MINUTES.toNanos(1))).isTrue();
    // The rest of the test uses another path to the folder.
    Path link = Files.createSymbolicLink(folder.resolve("a link"), place());
    CommandRun status = CommandRun.of("cluster", "status", "--folder", link.toString());
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.out()).contains("taskmanager-1  does not run: ");
    assertThat(run("cluster", "up", "--folder", link.toString()).exitCode()).isZero();
    assertThat(cluster("status").exitCode()).isZero();

    List<ClusterProcess> running = processes();
    Said down = cluster("down");
    assertThat(down.exitCode()).isZero();
    assertThat(down.output())
        .isEqualTo("ended %s, %s%n".formatted(running.get(0).shown(), running.get(1).shown()));
    assertThat(running).noneMatch(ClusterProcess::runs);
    assertThat(place().resolve("tmp")).doesNotExist();
    assertThat(run("flink", "--folder", place().toString(), "list"))
        .satisfies(said -> assertThat(said.exitCode()).isEqualTo(2))
        .satisfies(said -> assertThat(said.output()).contains("no cluster runs in " + place()));
  }

  @Test
  void whatTheLauncherStartsByItselfTellsOfItsOptionsWithoutRunning() throws Exception {
    Said ofFlink = run("flink", "--folder", place().toString(), "run", "-h");
    assertThat(ofFlink.exitCode()).as(ofFlink.output()).isZero();
    assertThat(ofFlink.output()).contains("--fromSavepoint");
    Said drain = run("flink", "--folder", place().toString(), "stop", "--drain", "0123");
    assertThat(drain.exitCode()).as(drain.output()).isEqualTo(2);
    assertThat(drain.output()).startsWith("braid: flink stop --drain: ").hasLineCount(1);
    Said ofBroker = run("kafka", "--port", "0", "-h");
    assertThat(ofBroker.exitCode()).as(ofBroker.output()).isZero();
    assertThat(ofBroker.output()).contains("--secure:", "Examples");
  }

  @Test
  @Tag("long")
  void aClusterThatCannotStartLeavesNothing() throws Exception {
    Said up =
        cluster("up", "--task-managers", "1", "--port", port(), "-D", "blob.server.port=none");
    assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
    assertThat(up.output()).containsPattern("braid: jobmanager has ended with exit code \\d+: ");
    assertThat(processes()).isEmpty();
    assertThat(Files.readString(place().resolve("log/jobmanager.log"))).contains("none");
  }

  private Said train() throws Exception {
    return run(
        "flink",
        "--folder",
        place().toString(),
        "run",
        JAR,
        "train",
        SmallMnist.option(),
        "--model",
        "logistic",
        "--workers",
        "2",
        "--epochs",
        "1",
        "--out",
        folder.resolve("out").toString());
  }

  /**
   * Returns a free port other than the default, because other tests look for the first free one at
   * the same time.
   */
  private static String port() throws IOException {
    return Integer.toString(ProcessCluster.freePort());
  }

  /** Returns a folder whose name has a blank, as users' folders may. */
  private Path place() {
    return folder.resolve("a cluster");
  }

  private List<ClusterProcess> processes() throws IOException {
    return ClusterFolder.at(place()).processes();
  }

  private Said cluster(String command, String... options) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("cluster", command, "--folder", place().toString()));
    words.addAll(List.of(options));
    return run(words.toArray(String[]::new));
  }

  private Said run(String... words) throws Exception {
    String path = folder.resolve("bin") + ":" + System.getenv("PATH");
    return new Launcher(folder, Map.of("PATH", path)).run(words);
  }
}
