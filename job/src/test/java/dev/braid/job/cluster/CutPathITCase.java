package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four TaskManagers on four computers, as far as the network is concerned ({@link NetworkLab}): the
 * path between two of them is cut during training, and healed. TCP notices nothing for minutes, and
 * neither does Flink.
 */
@Tag("long")
@EnabledIfSystemProperty(
    named = "braid.namespaces",
    matches = "true",
    disabledReason = "needs root, ip and nft: .ci/run, or -Dbraid.namespaces=true")
class CutPathITCase {

  private static final int WORKERS = 4;
  private static final int ROOT = 0;
  private static final int NOBODY = 65_534;

  /** Enough epochs to compile the code and to measure the speed of this machine. */
  private static final int WARM_UP_EPOCHS = 8;

  private static final int MAX_EPOCHS = 300;
  private static final int RUN_TIMEOUT_SECONDS = 240;
  private static final Duration CUT = Duration.ofSeconds(12);
  private static final Duration BEFORE_CUT = Duration.ofSeconds(5);
  private static final Duration LONG_RUN = Duration.ofSeconds(28);
  private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(3);
  private static final Duration SHORT_RUN = Duration.ofSeconds(8);

  /**
   * Large batch, so that an epoch has few rounds, because the exchange determines a round's time.
   */
  private static final int BATCH = 500;

  private static final int ROUNDS_OF_AN_EPOCH = 60_000 / BATCH / WORKERS;

  private static final double LEAST_SPEED = 0.8;
  private static final double LEAST_SECONDS = 5;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static final List<String> TASK_MANAGERS = new ArrayList<>();
  private static NetworkLab lab;
  private static ProcessCluster cluster;
  private static double secondsPerEpoch;

  @BeforeAll
  static void start() throws Exception {
    lab = new NetworkLab(WORKERS);
    cluster =
        new ProcessCluster(
            Files.createDirectories(folder.resolve("cluster")),
            lab.atTheSwitch(),
            ProcessCluster.TRAINING,
            "taskmanager.load-balance.mode: SLOTS",
            "metrics.fetcher.update-interval: 200 ms");
    for (int node = 0; node < WORKERS; node++) {
      TASK_MANAGERS.add(cluster.addTaskManager(lab.node(node)));
    }
    cluster.awaitTaskManagers(WORKERS);
    Run warmUp = train("warm-up", "ft-tree", WARM_UP_EPOCHS);
    finish(warmUp);
    secondsPerEpoch =
        (secondsAfter(warmUp, WARM_UP_EPOCHS) - secondsAfter(warmUp, WARM_UP_EPOCHS / 2))
            / (WARM_UP_EPOCHS / 2);
  }

  /** Returns the time in the line of an epoch's evaluation, in seconds. */
  private static double secondsAfter(Run run, int epoch) {
    return Double.parseDouble(
        group(run.said(), "epoch " + epoch + "/.*test accuracy.*?([0-9.]+) s "));
  }

  /** Returns the number of epochs that take this long on this machine. */
  private static int epochs(Duration duration) {
    double epochs = duration.toSeconds() / secondsPerEpoch;
    return (int) Math.ceil(Math.max(2, Math.min(MAX_EPOCHS, epochs)));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    lab.close();
  }

  @Test
  void faultTolerantTree_goesOnAroundACutPath() throws Exception {
    int epochs = epochs(LONG_RUN);
    Run calm = train("calm", "ft-tree", epochs);
    String undisturbed = finish(calm);

    Run run = train("ft-tree", "ft-tree", epochs);
    await(run, ROUNDS_OF_AN_EPOCH);
    double before = run.watch(BEFORE_CUT).roundsPerSecond();
    awaitCheckpoint(run);
    cutBetweenRanks(run, 0, 1);
    Watched cut = run.watch(CUT);
    lab.heal();
    System.out.printf(
        Locale.ROOT,
        "ft-tree: %.1f rounds/s, %.1f in %.0f s while the path was cut"
            + " (%.0f %%; longest standstill %d ms)%n",
        before,
        cut.roundsPerSecond(),
        cut.seconds(),
        100 * cut.roundsPerSecond() / before,
        cut.longestStandstill().toMillis());
    assertThat(finish(run)).as(() -> calm.said() + run.said()).isEqualTo(undisturbed);
    assertThat(run.failures()).isZero();
    assertThat(cut.seconds()).isGreaterThan(LEAST_SECONDS);
    assertThat(cut.longestStandstill()).isLessThan(LONGEST_STANDSTILL);
    assertThat(cut.roundsPerSecond()).isGreaterThan(LEAST_SPEED * before);
  }

  /** Access must be limited to root, because any client of the JobManager can run code as root. */
  @Test
  void fromThisMachineOnlyRootReachesTheNetwork() throws Exception {
    assertThat(reachesTheSwitchAs(ROOT)).isTrue();
    assertThat(reachesTheSwitchAs(NOBODY)).isFalse();
  }

  /**
   * Returns whether a packet is answered: no program listens at that port, so the connection is
   * refused at once.
   */
  private static boolean reachesTheSwitchAs(int user) throws Exception {
    List<String> command = new ArrayList<>(List.of("timeout", "3"));
    command.addAll(List.of("setpriv", "--reuid", Integer.toString(user), "--clear-groups"));
    command.addAll(List.of("bash", "-c", ": </dev/tcp/" + lab.atTheSwitch().address() + "/9"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.contains("Connection refused");
  }

  @Test
  void ringAndTree_standStillAndGoOn() throws Exception {
    int epochs = epochs(SHORT_RUN);
    Run calmRing = train("calm-ring", "ring", epochs);
    Run calmTree = train("calm-tree", "tree", epochs);
    String undisturbedRing = finish(calmRing);
    String undisturbedTree = finish(calmTree);

    Run ring = train("ring", "ring", epochs);
    Run tree = train("tree", "tree", epochs);
    await(ring, 1);
    await(tree, 1);
    cutBetweenRanks(ring, 0, 1);
    cutBetweenRanks(tree, 0, 1);
    long ringRounds = ring.round();
    assertThat(tree.watch(CUT).longestStandstill()).isGreaterThan(CUT.dividedBy(2));
    assertThat(ring.round()).isLessThan(ringRounds + ROUNDS_OF_AN_EPOCH);
    lab.heal();
    assertThat(finish(ring)).as(ring::said).isEqualTo(undisturbedRing);
    assertThat(finish(tree)).as(tree::said).isEqualTo(undisturbedTree);
    assertThat(ring.failures() + tree.failures()).isZero();
  }

  private static void cutBetweenRanks(Run run, int one, int other) {
    List<String> places = run.places();
    assertThat(places).doesNotHaveDuplicates();
    lab.cut(TASK_MANAGERS.indexOf(places.get(one)), TASK_MANAGERS.indexOf(places.get(other)));
  }

  private static void await(Run run, long round) {
    cluster.await("round " + round + " of " + run.name(), () -> run.round() >= round);
  }

  /**
   * Waits for a complete checkpoint. A cut during the next one's barriers would take a few seconds
   * more ({@code BarrierWatchITCase}).
   */
  private static void awaitCheckpoint(Run run) {
    long before = run.checkpoints();
    cluster.await("a checkpoint of " + run.name(), () -> run.checkpoints() > before);
  }

  /** Progress of a run over a while. */
  private record Watched(double seconds, double roundsPerSecond, Duration longestStandstill) {}

  /** A run: its number of rounds, Flink's client, the client's output, and the job. */
  private record Run(String name, long rounds, Process client, Path log, String job) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WORKER = "Worker";

    /**
     * Watches the rounds of the slowest worker for a duration, or until all are complete. The speed
     * is not known in advance, and a run that has ended does not count as a standstill.
     */
    Watched watch(Duration duration) {
      long began = System.nanoTime();
      long first = round();
      long last = first;
      long advanced = began;
      long standstill = 0;
      long now = began;
      while (now - began < duration.toNanos() && last < rounds) {
        LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        long round = round();
        now = System.nanoTime();
        standstill = Math.max(standstill, now - advanced);
        if (round > last) {
          last = round;
          advanced = now;
        }
      }
      double seconds = (now - began) / 1e9;
      return new Watched(seconds, (last - first) / seconds, Duration.ofNanos(standstill));
    }

    /** Returns the number of rounds completed by all workers. */
    long round() {
      String path = "/jobs/" + job + "/vertices/" + vertex() + "/subtasks/metrics";
      return json(path + "?get=" + WORKER + ".braid.round&agg=min").path(0).path("min").asLong();
    }

    /** Returns the number of completed checkpoints. */
    long checkpoints() {
      return json("/jobs/" + job + "/checkpoints").path("counts").path("completed").asLong();
    }

    /** Returns the TaskManager of each rank. */
    List<String> places() {
      List<String> places = new ArrayList<>();
      json("/jobs/" + job + "/vertices/" + vertex())
          .path("subtasks")
          .forEach(subtask -> places.add(subtask.path("taskmanager-id").asText()));
      return places;
    }

    /** Returns the client's output. */
    String said() {
      try {
        return Files.readString(log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    int failures() {
      return json("/jobs/" + job + "/exceptions").path("exceptionHistory").path("entries").size();
    }

    private String vertex() {
      for (JsonNode vertex : json("/jobs/" + job).path("vertices")) {
        if (vertex.path("name").asText().contains(WORKER)) {
          return vertex.path("id").asText();
        }
      }
      return "none";
    }

    private static JsonNode json(String path) {
      try {
        String body = cluster.get(path);
        return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Run train(String name, String exchange, int epochs) throws IOException {
    List<String> before = jobs();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("run", Path.of("target", "braid.jar").toAbsolutePath().toString()));
    command.addAll(List.of("train", "--workers", "" + WORKERS, "--exchange", exchange));
    command.addAll(List.of("--epochs", "" + epochs, "--batch", "" + BATCH));
    command.addAll(List.of("--checkpoint-interval", "2s"));
    command.addAll(List.of("--checkpoint-dir", folder.resolve("checkpoints").toUri().toString()));
    command.addAll(List.of("--out", folder.resolve(name).toString()));
    Path log = folder.resolve(name + ".out");
    Process client = cluster.flink(log, command.toArray(String[]::new));
    cluster.await("job " + name, () -> jobs().size() > before.size());
    List<String> jobs = jobs();
    jobs.removeAll(before);
    return new Run(name, (long) epochs * ROUNDS_OF_AN_EPOCH, client, log, jobs.get(0));
  }

  private static List<String> jobs() {
    List<String> ids = new ArrayList<>();
    Run.json("/jobs").path("jobs").forEach(job -> ids.add(job.path("id").asText()));
    return ids;
  }

  /** Waits for the end of a run; returns the digest of its model. */
  private static String finish(Run run) throws Exception {
    boolean ended = cluster.awaitEnd(run.client(), RUN_TIMEOUT_SECONDS);
    run.client().destroyForcibly();
    String output = run.said();
    assertThat(ended).as(() -> output + cluster.logs()).isTrue();
    assertThat(output).contains("identical: yes (" + WORKERS + " of " + WORKERS + ")");
    return group(output, "digest +([0-9a-f]{64})");
  }

  private static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }
}
