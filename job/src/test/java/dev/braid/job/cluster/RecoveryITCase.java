package dev.braid.job.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Training on a cluster of separate processes, through Flink's own client: TaskManagers are killed
 * at random moments, and savepoints are restored at other numbers of workers. On MNIST, with the
 * default model.
 */
class RecoveryITCase {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int RUN_TIMEOUT_SECONDS = 300;

  /** Enough that the latest kill, and a savepoint, still meet a job that trains. */
  private static final int EPOCHS = 4;

  private static final int PROMETHEUS_PORTS = 12;
  private static final Pattern ROUNDS_IN_PROMETHEUS =
      Pattern.compile("(?m)^flink_taskmanager_job_task_operator_braid_round\\{.*\\} [1-9]");

  private static final int LAST_CHECKPOINT_BEFORE_KILL = 2;
  private static final int CHECKPOINT_INTERVAL_MILLIS = 1000;
  private static final String ALL_ONCE =
      "every one of 60,000 samples used exactly once in each of " + EPOCHS + " epochs";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static ProcessCluster cluster;
  private static int prometheusPort;
  private static String undisturbed;

  @BeforeAll
  static void startCluster() throws Exception {
    prometheusPort = ProcessCluster.freePort();
    cluster =
        new ProcessCluster(
            Files.createDirectories(folder.resolve("cluster")),
            "metrics.reporter.prom.factory.class:"
                + " org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
            "metrics.reporter.prom.port: "
                + prometheusPort
                + "-"
                + (prometheusPort + PROMETHEUS_PORTS - 1));
    for (int i = 0; i < 3; i++) {
      cluster.addTaskManager();
    }
    cluster.awaitTaskManagers(3);
    Run run = start("undisturbed", "--workers", "4");
    cluster.await("rounds in Prometheus", RecoveryITCase::prometheusHasRounds);
    undisturbed = digest(finish(run));
  }

  /** As README configures it: each process takes a port of its own. */
  private static boolean prometheusHasRounds() {
    return IntStream.range(prometheusPort, prometheusPort + PROMETHEUS_PORTS)
        .mapToObj(port -> cluster.get(port, "/metrics"))
        .anyMatch(metrics -> ROUNDS_IN_PROMETHEUS.matcher(metrics).find());
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void aKilledTaskManagerChangesNoBit(String backend) throws Exception {
    long given = Long.getLong("braid.recovery.seed", 0);
    long seed = given == 0 ? System.nanoTime() : given;
    System.out.println("moments of " + backend + " are drawn with -Dbraid.recovery.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < Integer.getInteger("braid.recovery.kills", 1); i++) {
      Run run = startWithCheckpoints(backend + i, backend);
      int checkpoints = random.nextInt(LAST_CHECKPOINT_BEFORE_KILL + 1);
      cluster.await(checkpoints + " checkpoints", () -> completedCheckpoints(run) >= checkpoints);
      List<String> working = thoseThatWork(run);
      long delay = MILLISECONDS.toNanos(random.nextInt(CHECKPOINT_INTERVAL_MILLIS));
      long moment = System.nanoTime() + delay;
      cluster.await("the moment of the kill", () -> System.nanoTime() - moment >= 0);
      cluster.killTaskManager(working.get(random.nextInt(working.size())));
      assertUndisturbed(run);
      assertThat(failures(run)).isPositive();
    }
  }

  @Test
  void aTaskManagerKilledWhileTheJobEndsChangesNoBit() throws Exception {
    Run run = startWithCheckpoints("end", "hashmap");
    cluster.await("a checkpoint", () -> completedCheckpoints(run) >= 1);
    String victim = thoseThatWork(run).get(0);
    cluster.await("a finished worker", () -> hasFinishedTasks(run));
    cluster.killTaskManager(victim);
    // A job whose tasks had all finished by then has no failure; the result is the same.
    assertUndisturbed(run);
  }

  private static Run startWithCheckpoints(String name, String backend) throws IOException {
    return start(
        name,
        "--workers",
        "4",
        "--state-backend",
        backend,
        "--checkpoint-dir",
        folder.resolve("checkpoints").toUri().toString(),
        "--checkpoint-interval",
        CHECKPOINT_INTERVAL_MILLIS + "ms");
  }

  private static void assertUndisturbed(Run run) throws Exception {
    cluster.addTaskManager();
    String output = finish(run);
    assertThat(output).contains("identical: yes (4 of 4)").contains(ALL_ONCE);
    assertThat(digest(output)).isEqualTo(undisturbed);
    cluster.awaitTaskManagers(3);
  }

  @Test
  void aSavepointOfFourIsRestoredIntoTwoAndIntoEight() throws Exception {
    Run run = startWithCheckpoints("four", "hashmap");
    cluster.await("a checkpoint", () -> completedCheckpoints(run) >= 1);
    String job = run.job().orElseThrow();
    Path savepoints = folder.resolve("savepoints");
    Path log = folder.resolve("savepoint.log");
    Process savepoint = cluster.flink(log, "savepoint", job, savepoints.toUri().toString());
    assertThat(savepoint.waitFor()).as(Files.readString(log)).isZero();
    cluster.flink(folder.resolve("cancel.log"), "cancel", job).waitFor();
    run.client().waitFor(RUN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    String path = group(Files.readString(log), "Path: (\\S+)");

    cluster.addTaskManager();
    cluster.awaitTaskManagers(4);
    for (int workers : List.of(2, 8)) {
      String output =
          finish(start("restored" + workers, "--workers", "" + workers, "--restore", path));
      assertThat(output)
          .contains("identical: yes (" + workers + " of " + workers + ")")
          .contains(ALL_ONCE);
      assertThat(Double.parseDouble(group(output, "test accuracy +([0-9.]+) %\\s+digest")))
          .isGreaterThan(93);
    }
    cluster.killNewestTaskManager();
    cluster.awaitTaskManagers(3);
  }

  /** A run: Flink's client, what it prints, and the jobs that were there before. */
  private record Run(String name, Process client, Path log, List<String> before) {

    Optional<String> job() {
      return jobs().stream().filter(id -> !before.contains(id)).findFirst();
    }

    String output() {
      try {
        return Files.readString(log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Run start(String name, String... options) throws IOException {
    List<String> before = jobs();
    Path log = folder.resolve(name + ".out");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("run", Path.of("target", "braid.jar").toAbsolutePath().toString()));
    command.addAll(List.of("train", "--epochs", "" + EPOCHS));
    command.addAll(List.of("--out", folder.resolve(name).toString()));
    command.addAll(List.of(options));
    Process client = cluster.flink(log, command.toArray(String[]::new));
    return new Run(name, client, log, before);
  }

  private static String finish(Run run) throws Exception {
    if (!run.client().waitFor(RUN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      run.client().destroyForcibly();
      throw new AssertionError(
          run.name()
              + " did not end in "
              + RUN_TIMEOUT_SECONDS
              + " s\n"
              + run.output()
              + cluster.logs());
    }
    assertThat(run.client().exitValue()).as(() -> run.output() + cluster.logs()).isZero();
    return run.output();
  }

  /**
   * The TaskManagers that run tasks of the job, when all its tasks run. (A slot that is taken says
   * little: it may still be that of a job before.)
   */
  private static List<String> thoseThatWork(Run run) {
    Set<String> working = new TreeSet<>();
    cluster.await(
        "all tasks of " + run.name() + " to run",
        () -> {
          working.clear();
          String job = "/jobs/" + run.job().orElseThrow();
          JsonNode vertices = json(job).path("vertices");
          for (JsonNode vertex : vertices) {
            JsonNode tasks = json(job + "/vertices/" + vertex.path("id").asText()).path("subtasks");
            for (JsonNode task : tasks) {
              if (!task.path("status").asText().equals("RUNNING")) {
                return false;
              }
              working.add(task.path("taskmanager-id").asText());
            }
          }
          return !working.isEmpty();
        });
    return List.copyOf(working);
  }

  private static boolean hasFinishedTasks(Run run) {
    for (JsonNode vertex : json("/jobs/" + run.job().orElseThrow()).path("vertices")) {
      if (vertex.path("tasks").path("FINISHED").asInt() > 0) {
        return true;
      }
    }
    return false;
  }

  private static long completedCheckpoints(Run run) {
    return run.job()
        .map(job -> json("/jobs/" + job + "/checkpoints").path("counts").path("completed").asLong())
        .orElse(-1L);
  }

  private static int failures(Run run) {
    String path = "/jobs/" + run.job().orElseThrow() + "/exceptions";
    return json(path).path("exceptionHistory").path("entries").size();
  }

  private static List<String> jobs() {
    List<String> ids = new ArrayList<>();
    json("/jobs").path("jobs").forEach(job -> ids.add(job.path("id").asText()));
    return ids;
  }

  private static JsonNode json(String path) {
    try {
      String body = cluster.get(path);
      return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String output) {
    return group(output, "digest +([0-9a-f]{64})");
  }

  private static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }
}
