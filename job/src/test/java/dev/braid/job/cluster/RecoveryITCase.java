package dev.braid.job.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Schedule;
import dev.braid.chaos.event.Schedule.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * TaskManagers are killed with {@code kill -9} at random moments of a training; several kills may
 * happen in the same training. {@code -Dbraid.recovery.kills=50} sets the number of kills with each
 * state backend. {@code -Dbraid.recovery.seed=…} repeats the moments of an earlier run.
 */
@Tag("long")
class RecoveryITCase {

  private static final int CHECKPOINT_INTERVAL_MILLIS = 1000;
  private static final int LAST_CHECKPOINT_BEFORE_KILL = 2;
  private static final int MAX_KILLS_OF_A_RUN = 5;
  private static final double FAULTS_PER_SECOND = 2;
  private static final long FAULTS_FOR_MILLIS = 60_000;
  private static final long FAULT_MILLIS = 500;

  /** Least accuracy, in percent; a run without a kill has about 93. */
  private static final double LEAST_ACCURACY = 88;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster();

  /** Kinds of runs, in their order. */
  private enum Kind {
    RING("ring", "none", false, Optional.of("ring")),
    TREE_WITH_FAULTS("ft-tree", "none", true, Optional.of("tree")),
    AKO("ako", "none", false, Optional.empty()),
    COMPRESSED_RING("ring", "threshold", false, Optional.of("ring")),
    COMPRESSED_TREE_WITH_FAULTS("ft-tree", "threshold", true, Optional.of("tree")),
    SHARING("sharing", "dgc:0.1%", false, Optional.empty());

    final String exchange;
    final String codec;
    final boolean hasFaults;

    /** Exchange whose undisturbed run has the same bits; empty for an asynchronous exchange. */
    final Optional<String> bitsOf;

    Kind(String exchange, String codec, boolean hasFaults, Optional<String> bitsOf) {
      this.exchange = exchange;
      this.codec = codec;
      this.hasFaults = hasFaults;
      this.bitsOf = bitsOf;
    }

    /**
     * Returns the number of epochs. An asynchronous exchange does not wait for slow links, so its
     * run has more.
     */
    int epochs() {
      return bitsOf.isPresent() ? ClusterRun.EPOCHS : 4 * ClusterRun.EPOCHS;
    }

    @Override
    public String toString() {
      return exchange
          + (codec.equals("none") ? "" : ", compressed: " + codec)
          + (hasFaults ? " under link failures" : "");
    }
  }

  /** Results of the kills. */
  private static final class Tally {
    int kills;
    int runs;
    int exactLedgers;
    int synchronousRuns;
    int sameBits;
    int runsWithFaults;
    int faultsThatHit;
    final List<String> wrong = new ArrayList<>();

    @Override
    public String toString() {
      return "%d kills in %d runs: %d of %d with the digest of the run without, %d of %d with exact ledgers, %d link failures that hit messages in %d runs"
          .formatted(
              kills,
              runs,
              sameBits,
              synchronousRuns,
              exactLedgers,
              runs,
              faultsThatHit,
              runsWithFaults);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void killedTaskManagersLoseNothing(String backend) throws Exception {
    long given = Long.getLong("braid.recovery.seed", 0);
    long seed = given == 0 ? System.nanoTime() : given;
    System.out.println("moments of " + backend + " are drawn with -Dbraid.recovery.seed=" + seed);
    int kills = Integer.getInteger("braid.recovery.kills", 1);
    // With few kills, each backend has other kinds.
    int first = backend.equals("rocksdb") ? kills : 0;
    Tally tally = new Tally();
    while (tally.kills < kills && tally.wrong.isEmpty()) {
      Kind kind = Kind.values()[(first + tally.runs) % Kind.values().length];
      int left = kills - tally.kills;
      int most = left <= Kind.values().length ? 1 : Math.min(left, MAX_KILLS_OF_A_RUN);
      long begun = System.nanoTime();
      String outcome = run(kind, backend, most, new SplittableRandom(seed + tally.runs), tally);
      System.out.printf(
          Locale.ROOT,
          "%d of %d kills, %s, %s: %s (%.0f s)%n",
          tally.kills,
          kills,
          backend,
          kind,
          outcome,
          (System.nanoTime() - begun) / 1e9);
    }
    System.out.println(backend + ", " + tally);
    assertThat(tally.wrong).isEmpty();
    assertThat(tally.faultsThatHit)
        .as("link failures that hit messages")
        .isGreaterThanOrEqualTo(tally.runsWithFaults);
  }

  /** Trains once with kills; returns the result, and adds it to the tally. */
  private static String run(
      Kind kind, String backend, int mostKills, SplittableRandom random, Tally tally)
      throws Exception {
    cluster().keepTaskManagers(SessionCluster.TASK_MANAGERS);
    int epochs = kind.epochs() * mostKills;
    Optional<String> undisturbed = undisturbed(kind, epochs);
    String name = backend + tally.runs;
    tally.runs++;
    tally.synchronousRuns += undisturbed.isPresent() ? 1 : 0;
    ClusterRun run = start(kind, backend, name, epochs, random.nextLong());
    List<String> kills = new ArrayList<>();
    try {
      while (kills.size() < mostKills && kill(run, random, kills)) {
        tally.kills++;
      }
      check(kind, run, undisturbed, tally);
      assertThat(kills).as("the run ended before anything was killed").isNotEmpty();
      return String.join(", ", kills) + " changed nothing";
    } catch (AssertionError | ConditionTimeoutException e) {
      tally.wrong.add(name + ", " + kind + ", killed " + kills + ": " + e.getMessage());
      run.abandon();
      CLUSTER.keepLogs();
      return "WRONG: " + e.getMessage();
    }
  }

  /**
   * Kills a working TaskManager, some checkpoints after all tasks run.
   *
   * @return whether the run was still running
   */
  private static boolean kill(ClusterRun run, SplittableRandom random, List<String> kills)
      throws IOException, InterruptedException {
    int checkpoints = random.nextInt(LAST_CHECKPOINT_BEFORE_KILL + 1);
    long millis = random.nextInt(CHECKPOINT_INTERVAL_MILLIS);
    run.awaitThoseThatWork();
    long wanted = Math.max(0, run.completedCheckpoints()) + checkpoints;
    cluster()
        .await(
            checkpoints + " checkpoints",
            () -> run.completedCheckpoints() >= wanted || run.hasEnded());
    MILLISECONDS.sleep(millis);
    List<String> working = run.awaitThoseThatWork();
    if (working.isEmpty()) {
      return false;
    }
    long before = run.lastFailureMillis();
    String victim = working.get(random.nextInt(working.size()));
    cluster().killTaskManager(victim);
    cluster().addTaskManager();
    cluster().await("a restart", () -> run.lastFailureMillis() > before || run.hasEnded());
    kills.add(victim + " " + millis + " ms after " + checkpoints + " checkpoints");
    return true;
  }

  private static void check(Kind kind, ClusterRun run, Optional<String> undisturbed, Tally tally)
      throws Exception {
    String output = run.finish();
    tally.exactLedgers++;
    if (undisturbed.isPresent()) {
      assertThat(output).contains(ClusterRun.IDENTICAL);
      assertThat(ClusterRun.digest(output)).isEqualTo(undisturbed.get());
      tally.sameBits++;
    }
    assertThat(ClusterRun.accuracy(output)).isGreaterThan(LEAST_ACCURACY);
    assertThat(run.lastFailureMillis()).as("the last failure").isPositive();
    if (kind.hasFaults) {
      tally.runsWithFaults++;
      tally.faultsThatHit += faultsThatHit(run);
    }
  }

  /** Returns the number of the run's events that affected a message. */
  private static int faultsThatHit(ClusterRun run) throws IOException, InvalidEventException {
    Set<String> ids = new HashSet<>();
    for (String line : Files.readAllLines(run.out().resolve("chaos-applied.jsonl"))) {
      Happening happening = HappeningLog.read(line).happening();
      if (happening.outcome() == Outcome.TOUCHED) {
        ids.add(happening.event().id().orElseThrow());
      }
    }
    return ids.size();
  }

  private static Optional<String> undisturbed(Kind kind, int epochs) throws Exception {
    return kind.bitsOf.isEmpty()
        ? Optional.empty()
        : Optional.of(CLUSTER.undisturbed(kind.bitsOf.get(), kind.codec, epochs));
  }

  private static ClusterRun start(
      Kind kind, String backend, String name, int epochs, long faultSeed) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of("--workers", "4", "--exchange", kind.exchange + ":compress=" + kind.codec));
    options.addAll(List.of("--state-backend", backend));
    if (kind.hasFaults) {
      Path events = CLUSTER.folder().resolve(name + ".jsonl");
      Files.write(events, faults(faultSeed));
      options.addAll(List.of("--chaos-file", events.toString()));
    }
    return train(name, epochs, options);
  }

  private static List<String> faults(long seed) {
    List<ChaosEvent> events =
        new Schedule(seed, 4, FAULTS_PER_SECOND, FAULTS_FOR_MILLIS, FAULT_MILLIS, Faults.PATH_LEFT)
            .events();
    return events.stream().map(EventWriter::write).toList();
  }

  @Test
  void aTaskManagerKilledWhileTheJobEndsChangesNoBit() throws Exception {
    String undisturbed = CLUSTER.undisturbed("ring", ClusterRun.EPOCHS);
    ClusterRun run = start(Kind.RING, "hashmap", "end", ClusterRun.EPOCHS, 0);
    run.awaitCheckpoint();
    String victim = run.awaitThoseThatWork().get(0);
    cluster().await("a finished worker", run::hasFinishedTasks);
    cluster().killTaskManager(victim);
    cluster().addTaskManager();

    // A job whose tasks had all finished before the kill has no failure; the result is the same.
    String output = run.finish();
    assertThat(output).contains(ClusterRun.IDENTICAL);
    assertThat(ClusterRun.digest(output)).isEqualTo(undisturbed);
  }

  /** Answers in flight are lost, but each sample is in its sum once. */
  @Test
  void aTaskManagerKilledUnderCodedSumsChangesNoBit() throws Exception {
    String undisturbed = CLUSTER.undisturbed("coded", ClusterRun.EPOCHS);
    List<String> options = List.of("--workers", "4", "--exchange", "coded");
    aKillChangesNoBit(train("coded", options), undisturbed);
  }

  /** Checkpoints contain averages that have begun, or have arrived and are not applied. */
  @Test
  void aTaskManagerKilledWhileAveragesAreUnderWayChangesNoBit() throws Exception {
    List<String> options =
        List.of(
            "--workers",
            "4",
            "--exchange",
            "averaging:interval=8,outer=nesterov,fragments=4,overlap=2,compress=int4");
    String undisturbed =
        CLUSTER.undisturbed("averaging", ClusterRun.EPOCHS, options.toArray(String[]::new));
    aKillChangesNoBit(train("averaging", options), undisturbed);
  }

  /**
   * The tree of an epoch depends on measurements, and may differ in another run. Choices made
   * before a checkpoint stay, and so does everything that does not depend on the tree.
   */
  @Test
  void aTaskManagerKilledWhileTreesAreChosenAnew_leavesChoicesAndSamplesAsTheyWere()
      throws Exception {
    // In the first tree, every worker computes everything, so any measurement leads to a better
    // one.
    List<String> options =
        new ArrayList<>(
            List.of(
                "--workers",
                "4",
                "--exchange",
                "coded:plan=auto,children=3,stragglers=2",
                "--model",
                "mlp"));
    ClusterRun run = train("planned", options);
    run.awaitCheckpoint();
    cluster().await("two epochs", () -> trees(run).size() >= 2 || run.hasEnded());
    List<JsonNode> chosen = trees(run);
    // The next one may have begun before.
    long behind = run.completedCheckpoints() + 2;
    cluster()
        .await(
            "a checkpoint behind them",
            () -> run.completedCheckpoints() >= behind || run.hasEnded());
    cluster().killTaskManager(run.awaitThoseThatWork().get(0));
    cluster().addTaskManager();

    String output = run.finish();
    assertThat(output).contains(ClusterRun.IDENTICAL, "recovery 1: ");
    List<JsonNode> trees = trees(run);
    assertThat(trees).hasSize(ClusterRun.EPOCHS).startsWith(chosen.toArray(JsonNode[]::new));
    assertThat(trees.stream().map(tree -> tree.path("treeStragglers")).distinct())
        .as("another tree than the first was chosen: %s", trees)
        .hasSizeGreaterThan(1);
  }

  /** Returns the workers' figures of each epoch, which include its tree. */
  private static List<JsonNode> trees(ClusterRun run) {
    return run.history().stream()
        .map(line -> line.path("worker"))
        .filter(worker -> worker.has("treeChildren"))
        .toList();
  }

  /** The killed worker's state of the optimiser is on no other worker, or on one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aTaskManagerKilledUnderShardsOfAMeshChangesNoBit(int copies) throws Exception {
    String mesh = "mesh:algorithm=2d";
    String undisturbed =
        CLUSTER.undisturbed("mesh-2d", ClusterRun.EPOCHS, "--workers", "4", "--exchange", mesh);
    String shards = mesh + ",sharded=on,copies=" + copies;
    aKillChangesNoBit(
        train("shards" + copies, List.of("--workers", "4", "--exchange", shards)), undisturbed);
  }

  private static ClusterRun train(String name, List<String> options) throws IOException {
    return train(name, ClusterRun.EPOCHS, options);
  }

  /** Trains with checkpoints, some of them before the end. */
  private static ClusterRun train(String name, int epochs, List<String> options)
      throws IOException {
    List<String> all = new ArrayList<>(options);
    all.addAll(ClusterRun.SLOW_LINKS);
    all.addAll(
        ClusterRun.checkpoints(
            CLUSTER.folder().resolve("checkpoints"), CHECKPOINT_INTERVAL_MILLIS));
    return CLUSTER.train(name, epochs, all.toArray(String[]::new));
  }

  private static void aKillChangesNoBit(ClusterRun run, String undisturbed) throws Exception {
    run.awaitCheckpoint();
    run.awaitEpoch();
    cluster().killTaskManager(run.awaitThoseThatWork().get(0));
    cluster().addTaskManager();

    String output = run.finish();
    assertThat(output).contains(ClusterRun.IDENTICAL, "recovery 1: ");
    assertThat(ClusterRun.digest(output)).isEqualTo(undisturbed);
  }

  @Test
  void forHowLongTrainingStoodStillIsTold() throws Exception {
    ClusterRun run = start(Kind.RING, "hashmap", "told", ClusterRun.EPOCHS, 0);
    run.awaitCheckpoint();
    run.awaitEpoch();
    cluster().killTaskManager(run.awaitThoseThatWork().get(0));

    String output = run.finish();
    String figures =
        " s \\(detection [0-9.]+, restart [0-9.]+, restore [0-9.]+, first round [0-9.]+\\), [0-9,]+ rounds? repeated";
    assertThat(output)
        .containsPattern("(?m)^recovery 1: [0-9.]+" + figures + "$")
        .containsPattern(
            "(?m)^recoveries     1: [0-9.]+" + figures + "; no sample lost, none used twice$");
    JsonNode told =
        new ObjectMapper().readTree(run.out().resolve("summary.json").toFile()).path("recoveries");
    assertThat(told).hasSize(1);
    assertThat(told.path(0).path("detectionMillis").asLong(-1)).isNotNegative();
    assertThat(told.path(0).path("atMillis").asLong()).isGreaterThan(run.lastFailureMillis());
  }

  private static ProcessCluster cluster() {
    return CLUSTER.cluster();
  }
}
