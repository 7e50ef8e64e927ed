package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Events;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.cluster.BrokerProcess;
import dev.braid.job.engine.TrainingJob;
import dev.braid.job.options.Checkpoints;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.MetricNames;
import dev.braid.worker.report.Reports.Finished;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training on an embedded Flink while chaos events come, from a file or a real Kafka broker. */
class TrainingUnderChaosITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 4;
  private static final int EPOCHS = 3;
  private static final long ALL = Long.MAX_VALUE;
  private static final ExchangeOptions OPTIONS = ExchangeOptions.defaults(WORKERS).withBatch(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path folder;
  private static BrokerProcess broker;
  private static DataLocation data;
  private static List<String> undisturbed;

  private String name;

  @BeforeAll
  static void start() throws Exception {
    broker = new BrokerProcess(Files.createDirectories(folder.resolve("broker")));
    StringBuilder rows = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      float x = (float) random.nextDouble(-1, 1);
      float y = (float) random.nextDouble(-1, 1);
      rows.append(x).append(',').append(y).append(',').append(x > y ? 0 : 1).append('\n');
    }
    Path points = Files.writeString(folder.resolve("points.csv"), rows);
    data = DataLocation.of(points.toString()).withClasses(2);
    undisturbed = calm(ExchangeType.TREE);
  }

  private static List<String> calm(ExchangeType exchange) throws Exception {
    String name = "calm" + exchange;
    ChaosRun calm = run(name, exchange, OPTIONS, Optional.empty(), new Configuration());
    GatedModel.gate(name).letPass(ALL);
    return calm.digests();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void name(TestInfo info) {
    name = info.getTestMethod().orElseThrow().getName();
  }

  @Test
  void theBrokerListensOnThisMachineOnly() throws IOException {
    assertThat(broker.listensAt()).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
  }

  @Test
  void lateMessagesAndSlowRanksChangeNoBit() throws Exception {
    List<String> events =
        List.of(
            "{\"version\":1,\"action\":\"delay\",\"delayMillis\":2,\"jitterMillis\":3,"
                + "\"target\":{\"link\":[0,1]},\"start\":{\"round\":3},\"forMillis\":200}",
            "",
            "{\"version\":1,\"action\":\"throttle\",\"bytesPerSecond\":50000,"
                + "\"target\":{\"rank\":2},\"start\":{\"round\":5},\"forMillis\":200}",
            "{\"version\":1,\"action\":\"straggle\",\"factor\":20,"
                + "\"target\":{\"rank\":3},\"start\":{\"round\":2}}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":4}}");
    ChaosRun run = run(name, Optional.of(new EventSource.Lines(events)), new Configuration());
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.happenings(Outcome.APPLIED))
        .extracting(happening -> happening.event().id().orElseThrow())
        .containsExactlyInAnyOrder("line/1", "line/3", "line/4");
    assertThat(run.happenings(Outcome.APPLIED))
        .allSatisfy(
            happening ->
                assertThat(new Start.AtRound(happening.round()))
                    .isEqualTo(happening.event().start()));
    assertThat(run.deadLetters())
        .singleElement()
        .asString()
        .contains("line/5", "rank 4: there are 4 ranks, 0 to 3");
    assertThat(run.ids(Outcome.TOUCHED)).contains("line/1", "line/3");
    assertThat(run.told())
        .anyMatch(line -> line.contains("refused: rank 4: there are 4 ranks, 0 to 3"));
  }

  /** A job takes seconds to its first round, in which a schedule would be half over. */
  @Test
  void timeCountsFromTheFirstRound() throws Exception {
    String event =
        "{\"version\":1,\"action\":\"delay\",\"delayMillis\":1,\"target\":{\"link\":[1,0]},"
            + "\"start\":{\"afterMillis\":1}}";
    ChaosRun run =
        run(name, Optional.of(new EventSource.Lines(List.of(event))), new Configuration());
    await(() -> GatedModel.gate(name).waiting() == WORKERS);
    Instant opened = Instant.now();
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.lines("chaos-applied.jsonl"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(HappeningLog.read(line).at()).isAfterOrEqualTo(opened));
    assertThat(run.happenings(Outcome.TOUCHED)).isNotEmpty();
  }

  /**
   * What goes from rank 1 to rank 3 in round 5 is the answer to what is lost the other way: its
   * links see no message of that round before the cut is over.
   */
  @Test
  void aCutThatStartsInARoundIsOneTimeForBothDirections() throws Exception {
    String event =
        "{\"version\":1,\"action\":\"cut\",\"target\":{\"link\":[3,1]},"
            + "\"start\":{\"round\":5},\"forMillis\":2000}";
    ChaosRun run =
        run(name, Optional.of(new EventSource.Lines(List.of(event))), new Configuration());
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    long ended = run.happenings(Outcome.ENDED).get(0).nanos();
    assertThat(run.happenings(Outcome.TOUCHED))
        .isNotEmpty()
        .allSatisfy(touched -> assertThat(touched.nanos()).isLessThanOrEqualTo(ended));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ft-tree", "tree", "mesh", "averaging"})
  void linksThatFailChangeNoBit(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    // Trees of all kinds have the same bits.
    boolean isTree = exchange == ExchangeType.TREE || exchange == ExchangeType.FT_TREE;
    List<String> expected = isTree ? undisturbed : calm(exchange);
    ChaosRun faulty = amongFaults(exchange);
    assertThat(faulty.digests()).isEqualTo(expected);
    assertAllHit(faulty);
  }

  /** Each replica has added up the same gradients, in another order; or taken means with others. */
  @ParameterizedTest
  @ValueSource(strings = {"ako", "all-to-all", "gossip"})
  void linksThatFailLoseNoGradient(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    ChaosRun faulty = amongFaults(exchange);
    float apart = exchange == ExchangeType.GOSSIP ? 0.3f : 1e-4f;
    List<float[]> weights = faulty.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(apart)));
    assertAllHit(faulty);
  }

  private static void assertAllHit(ChaosRun faulty) {
    assertThat(faulty.deadLetters()).isEmpty();
    Set<String> events = Set.of("line/1", "line/2", "line/3", "line/4", "line/5");
    assertThat(faulty.happenings(Outcome.APPLIED)).hasSameSizeAs(events);
    assertThat(faulty.ids(Outcome.TOUCHED)).isEqualTo(events);
  }

  /** A run on links that are all lossy, and one of which is cut; what is lost is sent again. */
  private ChaosRun amongFaults(ExchangeType exchange) throws Exception {
    String everywhere = "\"target\":{\"random\":{\"seed\":7,\"count\":6,\"among\":\"all\"}}";
    List<String> events =
        List.of(
            "{\"version\":1,\"action\":\"drop\",\"probability\":0.05," + everywhere + "}",
            "{\"version\":1,\"action\":\"corrupt\",\"probability\":0.05," + everywhere + "}",
            "{\"version\":1,\"action\":\"duplicate\",\"probability\":0.1," + everywhere + "}",
            "{\"version\":1,\"action\":\"reorder\",\"probability\":0.1,\"withinMillis\":2,"
                + everywhere
                + "}",
            "{\"version\":1,\"action\":\"cut\",\"target\":{\"link\":[1,0]},"
                + "\"start\":{\"round\":4},\"forMillis\":300}");
    ChaosRun run =
        run(
            name + exchange,
            exchange,
            OPTIONS,
            Optional.of(new EventSource.Lines(events)),
            new Configuration());
    GatedModel.gate(name + exchange).letPass(50);
    await(() -> FLINK.counted(run.client().getJobID(), MetricNames.SENT_AGAIN) > 0);
    GatedModel.gate(name + exchange).letPass(ALL);
    return run;
  }

  @Test
  void aThousandMalformedEventsAreDeadLettersWithAReason() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    long seed = System.nanoTime();
    System.out.println("malformed events are drawn with seed " + seed);
    send(topic, Events.malformed(seed, 1000, WORKERS));
    await(() -> run.deadLetters().size() == 1000);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.deadLetters()).hasSize(1000).allMatch(line -> line.contains("\"reason\":\""));
    assertThat(KafkaTopics.read(topic.deadLetters())).isEqualTo(run.deadLetters());
    assertThat(run.lines("chaos-applied.jsonl")).isEmpty();
    // A digit that is spoilt may make an event of it, for a rank or a level that there is not.
    assertThat(run.told())
        .allMatch(line -> line.contains(" no chaos event") || line.contains(" refused: "))
        .filteredOn(line -> line.contains(" no chaos event"))
        .hasSizeBetween(5, 6)
        .contains("100 records by now are no chaos events");
  }

  @Test
  void aBrokerThatIsAwayForAWhileChangesNothing() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"a\",\"action\":\"straggle\",\"factor\":2,"
            + "\"target\":{\"rank\":1}}");
    GatedModel.gate(name).letPass(3);
    broker.stop();
    try {
      GatedModel.gate(name).letPass(6);
      await(() -> GatedModel.gate(name).least() == 6);
    } finally {
      broker.start();
    }
    sendUntil(
        Outcome.ENDED,
        run,
        topic,
        "{\"version\":1,\"id\":\"b\",\"action\":\"rejoin\",\"target\":{\"rank\":1}}");
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
  }

  @Test
  void trainingEndsThoughTheBrokerIsAway() throws Exception {
    ChaosRun run = run(name, Optional.of(source(topic())), new Configuration());
    GatedModel.gate(name).letPass(1);
    broker.stop();
    try {
      GatedModel.gate(name).letPass(ALL);
      assertThat(run.digests()).isEqualTo(undisturbed);
    } finally {
      broker.start();
    }
  }

  @Test
  void afterAFailureTheSameFaultsAreInForce() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), checkpointing());
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"d\",\"action\":\"delay\",\"delayMillis\":1,"
            + "\"target\":{\"link\":[1,0]}}");
    GatedModel.gate(name).letPass(5);
    await(() -> GatedModel.gate(name).least() == 5);
    awaitTwoCheckpoints();
    GatedModel.gate(name).failOnce();
    GatedModel.gate(name).letPass(8);
    sendUntil(
        Outcome.ENDED,
        run,
        topic,
        "{\"version\":1,\"id\":\"h\",\"action\":\"heal\",\"target\":{\"link\":[1,0]}}");
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.happenings(Outcome.ENDED).get(0).event().id()).hasValue("d");
    assertThat(run.happenings(Outcome.IGNORED)).isEmpty();
  }

  private Configuration checkpointing() {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "50ms");
    settings.setString("execution.checkpointing.dir", folder.resolve(name).toUri().toString());
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.attempts", "1");
    settings.setString("restart-strategy.fixed-delay.delay", "10ms");
    return settings;
  }

  @Test
  void aWorkerThatIsCutOffIsLeftOut_andCatchesUp() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), new Configuration());
    isolate(topic, run);
    send(topic, "{\"version\":1,\"id\":\"r\",\"action\":\"rejoin\",\"target\":{\"rank\":3}}");
    GatedModel.gate(name).letPass(40);
    await(() -> GatedModel.gate(name).least() > 6);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  /** The links of a worker that is cut off hear of that round, too; else it would stay away. */
  @ParameterizedTest
  @ValueSource(strings = {"ft-tree", "mesh", "ako"})
  void aWorkerThatIsCutOffComesBackInTheRoundOfAnEvent(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    List<String> events =
        List.of(
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":3},\"start\":{\"round\":5}}",
            "{\"version\":1,\"action\":\"rejoin\",\"target\":{\"rank\":3},\"start\":{\"round\":20}}");
    ChaosRun run =
        run(
            name,
            exchange,
            OPTIONS,
            Optional.of(new EventSource.Lines(events)),
            new Configuration());
    GatedModel.gate(name).letPass(40);
    await(() -> GatedModel.gate(name).countAt(40) >= WORKERS - 1);
    if (exchange == ExchangeType.AKO) {
      // The end waits for all.
      GatedModel.gate(name).letPass(ALL);
      assertThat(run.weights()).hasSize(WORKERS);
    } else {
      // Worker 3 is cut off in its fifth round or its sixth, and has one more when it is back.
      passOneByOneUntil(() -> GatedModel.gate(name).least() > 6, 40);
      GatedModel.gate(name).letPass(ALL);
      assertThat(run.finishedIn()).isEqualTo(WORKERS);
    }
  }

  /** Lets the others do so few rounds that some are left when the one that is away is back. */
  private void passOneByOneUntil(BooleanSupplier condition, int passed) {
    int rounds = passed;
    while (!comesTrue(condition, Duration.ofMillis(500))) {
      assertThat(rounds).as("rounds, and it is not back").isLessThan(60);
      GatedModel.gate(name).letPass(++rounds);
    }
  }

  @Test
  void aWorkerThatIsCutOffInTheEndIsToldApart() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), new Configuration());
    isolate(topic, run);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS - 1);
  }

  @Test
  void aCheckpointWhileAWorkerIsCutOffBringsAllBackTogether() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), checkpointing());
    isolate(topic, run);
    awaitTwoCheckpoints();
    GatedModel.gate(name).failOnce();
    await(() -> GatedModel.gate(name).hasFailed());
    send(topic, "{\"version\":1,\"id\":\"r\",\"action\":\"rejoin\",\"target\":{\"rank\":3}}");
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  /**
   * Of 68 rounds, 5 to 39 go without worker 3; then it gets what it has missed, and is waited for.
   */
  @Test
  void anAsynchronousExchangeGoesOnWithoutAWorkerThatIsCutOff() throws Exception {
    checkGoesOnWithoutAWorker(ExchangeType.AKO, StoppingRule.NONE);
  }

  /** At the ends of two epochs, too, where a verdict is waited for. */
  @ParameterizedTest
  @ValueSource(strings = {"ako", "sharing"})
  void anAsynchronousExchangeWithATargetGoesOnWithoutAWorkerThatIsCutOff(String title)
      throws Exception {
    name += title;
    checkGoesOnWithoutAWorker(
        ExchangeType.named(title).orElseThrow(), new StoppingRule(Double.NaN, EPOCHS));
  }

  private void checkGoesOnWithoutAWorker(ExchangeType exchange, StoppingRule stopping)
      throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run =
        run(name, exchange, OPTIONS, stopping, Optional.of(source(topic)), new Configuration());
    GatedModel.gate(name).letPass(5);
    await(() -> GatedModel.gate(name).least() == 5);
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"i\",\"action\":\"isolate\",\"target\":{\"rank\":3}}");
    GatedModel.gate(name).letPass(40);
    await(() -> GatedModel.gate(name).countAt(40) == WORKERS - 1);
    int bound = WORKERS - 1 + OPTIONS.get(ExchangeOptions.STALENESS);
    assertThat(GatedModel.gate(name).least()).isLessThanOrEqualTo(5 + bound + 1);
    send(topic, "{\"version\":1,\"id\":\"r\",\"action\":\"rejoin\",\"target\":{\"rank\":3}}");
    GatedModel.gate(name).letPass(ALL);
    List<float[]> weights = run.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(1e-4f)));
    ExactLedger.check(run.ledger(), EPOCHS, data.check().trainSamples());
  }

  /**
   * Checkpoints are due every 50 ms. Savepoints are asked for between rounds that go without worker
   * 3: each is declined as such a checkpoint is, and says why; so is a stop with one. No failure is
   * tolerated, and no restart: a checkpoint that is declined is none.
   */
  @Test
  void checkpointsWhileAWorkerIsCutOffAreDeclined_andAnAsynchronousExchangeGoesOn()
      throws Exception {
    KafkaTopic topic = topic();
    Configuration settings = checkpointing();
    settings.setString("restart-strategy.type", "disable");
    ChaosRun run = run(name, ExchangeType.AKO, OPTIONS, Optional.of(source(topic)), settings);
    GatedModel.Gate gate = GatedModel.gate(name);
    gate.letPass(5);
    await(() -> gate.least() == 5 && checkpoints() > 0);
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"i\",\"action\":\"isolate\",\"target\":{\"rank\":3}}");
    gate.letPass(20);
    await(() -> gate.countAt(20) == WORKERS - 1);
    long taken = checkpoints();
    for (int rounds = 25; rounds <= 50; rounds += 5) {
      boolean stop = rounds == 30;
      assertThatThrownBy(() -> savepoint(run, stop))
          .rootCause()
          .hasMessageContaining("rank 3 cannot be reached");
      gate.letPass(rounds);
      int others = rounds;
      await(() -> gate.countAt(others) == WORKERS - 1);
    }
    assertThat(checkpoints()).as("taken meanwhile").isEqualTo(taken);
    assertThat(gate.least()).isLessThan(20);
    send(topic, "{\"version\":1,\"id\":\"r\",\"action\":\"rejoin\",\"target\":{\"rank\":3}}");
    await(() -> checkpoints() > taken);
    assertThat(checkpoints() - taken)
        .as("numbers of checkpoints that were declined")
        .isGreaterThan(6);
    gate.letPass(ALL);
    List<float[]> weights = run.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(1e-4f)));
    ExactLedger.check(run.ledger(), EPOCHS, data.check().trainSamples());
  }

  private static String savepoint(ChaosRun run, boolean stop) throws Exception {
    String place = folder.resolve("savepoints").toUri().toString();
    CompletableFuture<String> savepoint =
        stop
            ? run.client().stopWithSavepoint(false, place, SavepointFormatType.CANONICAL)
            : run.client().triggerSavepoint(place, SavepointFormatType.CANONICAL);
    return savepoint.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private ChaosRun elastic(EventSource events, Configuration settings) throws Exception {
    return run(name, ExchangeType.FT_TREE, OPTIONS, Optional.of(events), settings);
  }

  /** Rounds 5 to 19 go without worker 3. */
  private void isolate(KafkaTopic topic, ChaosRun run) throws Exception {
    GatedModel.gate(name).letPass(5);
    await(() -> GatedModel.gate(name).least() == 5);
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"i\",\"action\":\"isolate\",\"target\":{\"rank\":3}}");
    GatedModel.gate(name).letPass(20);
    await(() -> GatedModel.gate(name).most() == 20);
    assertThat(GatedModel.gate(name).least()).isLessThanOrEqualTo(6);
  }

  @Test
  void aTreeWithACutLinkStandsStillAndCanBeCancelled() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    sendUntil(
        Outcome.APPLIED,
        run,
        topic,
        "{\"version\":1,\"id\":\"c\",\"action\":\"cut\",\"target\":{\"link\":[1,0]}}");
    GatedModel.gate(name).letPass(ALL);
    await(() -> GatedModel.gate(name).least() == 1);
    var result = run.client().getJobExecutionResult();
    run.client().cancel().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThatThrownBy(() -> result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(JobCancellationException.class);
    assertThat(GatedModel.gate(name).most()).isLessThanOrEqualTo(1);
  }

  // ---- a run
  // -------------------------------------------------------------------------------------

  private static ChaosRun run(String name, Optional<EventSource> events, Configuration settings)
      throws Exception {
    return run(name, ExchangeType.TREE, OPTIONS, events, settings);
  }

  private static ChaosRun run(
      String name,
      ExchangeType exchange,
      ExchangeOptions options,
      Optional<EventSource> events,
      Configuration settings)
      throws Exception {
    return run(name, exchange, options, StoppingRule.NONE, events, settings);
  }

  private static ChaosRun run(
      String name,
      ExchangeType exchange,
      ExchangeOptions options,
      StoppingRule stopping,
      Optional<EventSource> events,
      Configuration settings)
      throws Exception {
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("pipeline.generic-types", "false");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, settings);
    Path out = Files.createDirectories(folder.resolve("out-" + name));
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, data.check().trainSamples(), 7, EPOCHS, 20),
            new WorkerConfig(
                exchange,
                options,
                16,
                new GatedModel(new SoftmaxModel(2, 2, 0.5f), name),
                data::openTest,
                stopping),
            WORKERS,
            events.map(source -> new ChaosConfig(source, out.toString(), 1)),
            Optional.empty());
    CloseableIterator<Finished> finished = outputs.finished().collectAsync();
    CloseableIterator<LedgerSummary> ledger = Ledger.attach(outputs.usage()).collectAsync();
    return new ChaosRun(WORKERS, env.executeAsync(), out, finished, ledger);
  }

  /** The second one surely began after this call. */
  private void awaitTwoCheckpoints() {
    long seen = checkpoints();
    await(() -> checkpoints() > seen + 1);
  }

  /** The number of the newest checkpoint. */
  private long checkpoints() {
    return Checkpoints.newestBelow(folder.resolve(name))
        .map(path -> Long.parseLong(path.getFileName().toString().replace("chk-", "")))
        .orElse(0L);
  }

  // ---- Kafka
  // -------------------------------------------------------------------------------------

  private KafkaTopic topic() {
    return new KafkaTopic(broker.address(), name, new TreeMap<>());
  }

  private static EventSource source(KafkaTopic topic) throws BrokerAwayException {
    Map<Integer, Long> offsets = KafkaTopics.offsets(topic, false);
    return new EventSource.Topic(topic, offsets);
  }

  /** Sends an event, and waits until for the first time one has come to this. */
  private static void sendUntil(Outcome outcome, ChaosRun run, KafkaTopic topic, String event)
      throws Exception {
    send(topic, event);
    await(() -> run.happenings(outcome).size() == 1);
  }

  private static void send(KafkaTopic topic, String event) throws Exception {
    try (KafkaTopics.Lines lines = KafkaTopics.write(topic)) {
      lines.add(event);
    }
  }

  private static void send(KafkaTopic topic, List<byte[]> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            topic.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (byte[] bytes : records) {
        var unused = producer.send(new ProducerRecord<>(topic.name(), bytes));
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    assertThat(comesTrue(condition, PATIENCE)).as("came true while waited for").isTrue();
  }

  private static boolean comesTrue(BooleanSupplier condition, Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= deadline) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    return true;
  }
}
