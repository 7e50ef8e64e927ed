package dev.braid.job.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.CommandRun;
import dev.braid.job.console.ExitCodes;
import dev.braid.learner.OffsetRange;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Trainings on an endless topic, with all kinds of faults at random moments: TaskManagers and the
 * JobManager are killed with {@code kill -9}, workers are removed and added, the broker is
 * unavailable, and the job is stopped and restored with another number of workers. Each offset must
 * be used once, and each recorded digest must equal that of a replay. {@code
 * -Dbraid.stream.kills=100} sets the number of faults; {@code -Dbraid.stream.seed=…} repeats the
 * faults of an earlier run.
 */
@Tag("long")
class StreamKillsITCase {

  private static final int MOST_FAULTS_OF_A_RUN = 20;
  private static final int RATE = 300;
  private static final int MOST_MILLIS_BETWEEN = 1500;
  private static final int LEAST_MILLIS_AWAY = 1000;
  private static final int MOST_MILLIS_AWAY = 4000;

  /** Time after which a deal that was being written when the broker stopped is in the lineage. */
  private static final int MILLIS_UNTIL_QUIET = 500;

  /** Maximum number of checks whether the lineage still grows: a minute. */
  private static final int MOST_CHECKS = 120;

  private static final int FEWEST_WORKERS = 2;
  private static final int MOST_WORKERS = 4;
  private static final String ONE_SLOT = "taskmanager.numberOfTaskSlots=1";

  private static Path folder;
  private static ZooKeeperProcess zooKeeper;
  private static BrokerProcess broker;
  private static ProcessCluster cluster;
  private static boolean isElastic = true;
  private static boolean keepsFolder;

  private final List<String> taskManagers = new ArrayList<>();

  /** Kinds of runs, in their order. */
  private enum Kind {
    RING("ring", true),
    TREE("ft-tree", false),
    RING_OF_A_FIXED_SIZE("ring", false),
    ELASTIC_TREE("ft-tree", true);

    final String exchange;

    /** Whether Flink's adaptive scheduler starts as many workers as there are slots. */
    final boolean isElastic;

    Kind(String exchange, boolean isElastic) {
      this.exchange = exchange;
      this.isElastic = isElastic;
    }

    void startJobManager() throws IOException {
      cluster.startJobManager("jobmanager.scheduler=" + (isElastic ? "adaptive" : "default"));
    }

    String workers(int now, int most) {
      return isElastic ? FEWEST_WORKERS + ".." + most : Integer.toString(now);
    }

    @Override
    public String toString() {
      return exchange + (isElastic ? ", elastic" : "");
    }
  }

  /** A kind of fault. */
  private enum Fault {
    TASK_MANAGER,
    JOB_MANAGER,
    BROKER,
    RESCALE,
    RESTORE
  }

  /** Numbers of faults that took effect, and failed runs. */
  private static final class Tally {
    final Map<Fault, Integer> hit = new EnumMap<>(Fault.class);
    final List<String> wrong = new ArrayList<>();
    int runs;
    int digests;

    void add(Fault fault) {
      hit.merge(fault, 1, Integer::sum);
    }

    int faults() {
      return hit.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  @BeforeAll
  static void startCluster() throws Exception {
    folder = Files.createTempDirectory("braid-stream-kills");
    zooKeeper = new ZooKeeperProcess(Files.createDirectories(folder.resolve("zookeeper")));
    broker = new BrokerProcess(folder.resolve("broker"));
    // Otherwise the broker would outlive an interrupted test.
    Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "braid-broker"));
    List<String> settings = new ArrayList<>(zooKeeper.settings());
    settings.addAll(
        List.of(
            "heartbeat.timeout: 10 s",
            "jobmanager.scheduler: adaptive",
            "jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout: 500 ms",
            "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout: 1 s",
            "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling: 1 s"));
    cluster =
        new ProcessCluster(
            Files.createDirectories(folder.resolve("cluster")),
            ProcessCluster.QUICK_START,
            settings.toArray(String[]::new));
  }

  @AfterAll
  static void endCluster() throws IOException {
    cluster.close();
    broker.close();
    zooKeeper.close();
    if (keepsFolder) {
      System.out.println("results and logs are in " + folder);
    } else {
      ClusterFolder.remove(folder);
    }
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void whateverHappens_eachOffsetIsUsedOnce_andEachDigestIsThatOfAReplay() throws Exception {
    long given = Long.getLong("braid.stream.seed", 0);
    long seed = given == 0 ? System.nanoTime() : given;
    System.out.println("faults are drawn with -Dbraid.stream.seed=" + seed);
    int faults = Integer.getInteger("braid.stream.kills", Fault.values().length);
    Tally tally = new Tally();
    for (int left = faults; left > 0 && tally.wrong.isEmpty(); left -= MOST_FAULTS_OF_A_RUN) {
      Kind kind = Kind.values()[tally.runs % Kind.values().length];
      long begun = System.nanoTime();
      String outcome =
          run(
              kind,
              Math.min(left, MOST_FAULTS_OF_A_RUN),
              new SplittableRandom(seed + tally.runs),
              tally);
      System.out.printf(
          Locale.ROOT,
          "run %d, %s: %s (%.0f s)%n",
          tally.runs,
          kind,
          outcome,
          (System.nanoTime() - begun) / 1e9);
    }
    System.out.printf(
        Locale.ROOT,
        "%d faults in %d runs with seed %d: %s; %,d digests compared%n",
        tally.faults(),
        tally.runs,
        seed,
        tally.hit,
        tally.digests);
    assertThat(tally.wrong).isEmpty();
    if (faults >= Fault.values().length) {
      assertThat(tally.hit).as("faults that took effect").containsOnlyKeys(Fault.values());
    }
  }

  /** Trains once under faults; returns the result, and adds it to the tally. */
  private String run(Kind kind, int faults, SplittableRandom random, Tally tally) throws Exception {
    String name = "stream-" + ++tally.runs;
    StreamTopic topic = StreamRun.topic(name, broker.address());
    BraidProcess feed = feed(name, random.nextInt(1, 1000));
    if (kind.isElastic != isElastic) {
      // Restart with the other scheduler; no job runs at this point.
      isElastic = kind.isElastic;
      cluster.killJobManager();
      kind.startJobManager();
    }
    keep(FEWEST_WORKERS);
    StreamRun run =
        new StreamRun(
            cluster,
            folder.resolve(name),
            topic,
            kind.exchange,
            kind.workers(FEWEST_WORKERS, MOST_WORKERS));
    List<String> happened = new ArrayList<>();
    try {
      run.awaitRounds(0);
      Faults all = new Faults(kind, run, random, happened, tally);
      for (Fault fault : deck(kind, faults - 1, random)) {
        all.happen(fault);
      }
      all.settle();
      feed.interrupt();
      assertThat(feed.awaitEnd()).as(feed::output).isEqualTo(ExitCodes.INTERRUPTED);
      all.finish();
      return String.join(", ", happened) + ": " + check(run, topic, tally);
    } catch (AssertionError | ConditionTimeoutException e) {
      tally.wrong.add(name + ", " + kind + ", " + happened + ": " + e.getMessage());
      keepsFolder = true;
      run.abandon();
      feed.kill();
      return "WRONG after " + happened + ": " + e.getMessage();
    }
  }

  /**
   * Returns faults in random order, equally many of each kind. The end of a run is also a restore.
   */
  private static List<Fault> deck(Kind kind, int faults, SplittableRandom random) {
    List<Fault> deck = new ArrayList<>();
    List<Fault> all = new ArrayList<>(List.of(Fault.values()));
    if (!kind.isElastic) {
      all.remove(Fault.RESCALE);
    }
    List<Fault> left = new ArrayList<>(all);
    left.remove(Fault.RESTORE);
    while (deck.size() < faults) {
      deck.add(left.remove(random.nextInt(left.size())));
      if (left.isEmpty()) {
        left.addAll(all);
      }
    }
    return deck;
  }

  /** Feeds a topic steadily; returns when the topic has records. */
  private static BraidProcess feed(String topic, int seed) throws IOException {
    BraidProcess feed =
        BraidProcess.start(
            folder.resolve(topic + "-feed.log"),
            "feed",
            "--topic=" + topic,
            "--stream=sea",
            "--seed=" + seed,
            "--rate=" + RATE,
            "--kafka-brokers=" + broker.address());
    feed.await(() -> hasRecords(StreamRun.topic(topic, broker.address())));
    return feed;
  }

  private static boolean hasRecords(StreamTopic topic) {
    try {
      return StreamRun.ends(topic).values().stream().allMatch(end -> end > 0);
    } catch (IOException | InvalidDataException e) {
      return false;
    }
  }

  private void keep(int workers) throws IOException {
    while (taskManagers.size() > workers) {
      cluster.killTaskManager(taskManagers.remove(0));
    }
    while (taskManagers.size() < workers) {
      taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT));
    }
    cluster.awaitTaskManagers(workers);
  }

  // ---- faults ----------------------------------------------------------------------------------

  /** The faults of one run. */
  private final class Faults {

    private final Kind kind;
    private final StreamRun run;
    private final SplittableRandom random;
    private final List<String> happened;
    private final Tally tally;
    private int most = MOST_WORKERS;

    Faults(Kind kind, StreamRun run, SplittableRandom random, List<String> happened, Tally tally) {
      this.kind = kind;
      this.run = run;
      this.random = random;
      this.happened = happened;
      this.tally = tally;
    }

    /** Causes a fault; often, but not always, waits until all workers train again. */
    void happen(Fault fault) throws Exception {
      long begun = System.nanoTime();
      MILLISECONDS.sleep(random.nextInt(MOST_MILLIS_BETWEEN));
      switch (fault) {
        case TASK_MANAGER -> loseTaskManager();
        case JOB_MANAGER -> loseJobManager();
        case BROKER -> loseBroker();
        case RESCALE -> rescale();
        case RESTORE -> restore();
      }
      tally.add(fault);
      if (random.nextInt(3) > 0) {
        settle();
      }
      seconds(begun);
    }

    private void seconds(long begun) {
      int last = happened.size() - 1;
      long seconds = NANOSECONDS.toSeconds(System.nanoTime() - begun);
      happened.set(last, happened.get(last) + " (" + seconds + " s)");
    }

    /** Waits until all workers train. */
    void settle() {
      run.awaitTraining(taskManagers.size());
    }

    private void loseTaskManager() throws IOException {
      boolean isBefore = random.nextBoolean();
      happened.add(isBefore ? "TaskManager with a spare" : "TaskManager");
      run.awaitThoseThatWork();
      if (isBefore) {
        addTaskManager();
        cluster.awaitTaskManagers(taskManagers.size());
      }
      long millis = killTaskManager();
      if (!isBefore) {
        addTaskManager();
      }
      run.awaitRestartAfter(millis);
    }

    private void addTaskManager() throws IOException {
      taskManagers.add(cluster.addTaskManager(ProcessCluster.Host.THIS, ONE_SLOT));
    }

    /** Kills a working TaskManager; returns the time, in milliseconds since 1970. */
    private long killTaskManager() {
      List<String> working = run.awaitThoseThatWork();
      String victim = working.get(random.nextInt(working.size()));
      long millis = System.currentTimeMillis();
      taskManagers.remove(victim);
      cluster.killTaskManager(victim);
      return millis;
    }

    private void loseJobManager() throws IOException {
      boolean isWorse = random.nextInt(3) == 0;
      happened.add("JobManager" + (isWorse ? " and a TaskManager" : ""));
      run.awaitThoseThatWork();
      long millis = System.currentTimeMillis();
      if (isWorse) {
        killTaskManager();
        addTaskManager();
      }
      cluster.killJobManager();
      kind.startJobManager();
      run.awaitRestartAfter(millis);
    }

    private void loseBroker() throws Exception {
      int millis = random.nextInt(LEAST_MILLIS_AWAY, MOST_MILLIS_AWAY);
      boolean isKilled = random.nextBoolean();
      boolean isWorse = random.nextInt(3) == 0;
      happened.add(
          (isKilled ? "killed" : "stopped") + " broker" + (isWorse ? " and a TaskManager" : ""));
      if (isKilled) {
        broker.close();
      } else {
        broker.stop();
      }
      long before = awaitQuiet();
      long killed = isWorse ? killTaskManager() : 0;
      if (isWorse) {
        addTaskManager();
      }
      MILLISECONDS.sleep(millis);
      assertThat(run.rounds()).as("rounds that are dealt without a broker").isEqualTo(before);
      broker.start();
      run.awaitRestartAfter(killed);
      run.awaitRounds(before);
    }

    /** Waits until no more deals are written; returns the number of rounds that are dealt. */
    private long awaitQuiet() throws InterruptedException {
      long before = -1;
      long now = run.rounds();
      for (int i = 0; i < MOST_CHECKS && (now < 0 || now != before); i++) {
        before = now;
        MILLISECONDS.sleep(MILLIS_UNTIL_QUIET);
        now = run.rounds();
      }
      return now;
    }

    private void rescale() throws IOException {
      int now = taskManagers.size();
      int wanted = other(now, most);
      happened.add(now + " to " + wanted + " workers");
      run.awaitThoseThatWork();
      while (taskManagers.size() > wanted) {
        killTaskManager();
      }
      while (taskManagers.size() < wanted) {
        addTaskManager();
      }
      settle();
    }

    private void restore() throws Exception {
      String checkpoint = stop();
      most = Math.max(taskManagers.size(), FEWEST_WORKERS + 1);
      run.restore(checkpoint, kind.workers(taskManagers.size(), most));
      settle();
    }

    /** Stops the job, and starts TaskManagers for another number of workers. */
    private String stop() throws Exception {
      int now = taskManagers.size();
      int wanted = other(now, MOST_WORKERS);
      happened.add("restored, " + now + " to " + wanted + " workers");
      String checkpoint = run.cancel(random.nextInt(StreamRun.CHECKPOINT_MILLIS));
      keep(wanted);
      return checkpoint;
    }

    /** Restores once more, until all records are used. */
    void finish() throws Exception {
      long begun = System.nanoTime();
      String checkpoint = stop();
      run.finish(checkpoint, kind.workers(taskManagers.size(), MOST_WORKERS));
      tally.add(Fault.RESTORE);
      seconds(begun);
    }

    private int other(int now, int highest) {
      int other = random.nextInt(FEWEST_WORKERS, highest);
      return other < now ? other : other + 1;
    }
  }

  // ---- what must be so -------------------------------------------------------------------------

  private static String check(StreamRun run, StreamTopic topic, Tally tally) throws IOException {
    Outcome outcome = RunHistory.read(run.out().resolve("history.jsonl")).outcome().orElseThrow();
    SortedMap<Integer, Long> ends = StreamRun.ends(topic);
    long offsets = ends.values().stream().mapToLong(Long::longValue).sum();
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    assertThat(outcome.ledger())
        .contains(String.format(Locale.ROOT, "%,d offsets of %d partitions", offsets, ends.size()));
    RecordedRun recorded = RecordedRun.read(run.out().resolve(EarlierResults.LINEAGE).toString());
    assertThat(outcome.rounds()).isEqualTo(recorded.rounds());
    assertThat(used(recorded)).isEqualTo(ends);
    CommandRun replay = CommandRun.withErrorOutput("replay", run.out().toString());
    assertThat(replay.exitCode()).as(replay.out() + replay.err()).isZero();
    int digests = recorded.digests().size();
    assertThat(digests).isPositive();
    assertThat(replay.out())
        .contains(String.format(Locale.ROOT, "%,d digests, all equal", digests));
    tally.digests += digests;
    return "%d offsets once each in %d rounds, %d digests as replayed"
        .formatted(offsets, recorded.rounds(), digests);
  }

  /** Returns the end of the used offsets of each partition; fails if ranges are not contiguous. */
  private static SortedMap<Integer, Long> used(RecordedRun recorded) {
    SortedMap<Integer, Long> used = new TreeMap<>();
    List<OffsetRange> ranges = new ArrayList<>();
    for (Deal deal : recorded.deals()) {
      deal.shares().forEach(ranges::addAll);
    }
    ranges.sort(
        Comparator.comparingInt(OffsetRange::partition).thenComparingLong(OffsetRange::start));
    for (OffsetRange range : ranges) {
      assertThat(range.start())
          .as("the offset behind those before %s", range)
          .isEqualTo(used.getOrDefault(range.partition(), 0L));
      used.put(range.partition(), range.end());
    }
    return used;
  }
}
