package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.options.Checkpoints;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of the tests of all families of exchanges: training with four workers on an embedded Flink,
 * with chaos events from a file or a real Kafka broker.
 */
abstract class ChaosTraining {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();
  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  static final int WORKERS = 4;
  static final int EPOCHS = 3;
  static final long ALL = Long.MAX_VALUE;
  static final ExchangeOptions OPTIONS = ExchangeOptions.defaults(WORKERS).withBatch(20);
  static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path folder;
  static DataLocation data;

  /** Name of the test, its run, its gate and its topic. */
  String name;

  @BeforeAll
  static void writeData() throws Exception {
    StringBuilder rows = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      float x = (float) random.nextDouble(-1, 1);
      float y = (float) random.nextDouble(-1, 1);
      rows.append(x).append(',').append(y).append(',').append(x > y ? 0 : 1).append('\n');
    }
    Path points = Files.writeString(folder.resolve("points.csv"), rows);
    data = DataLocation.of(points.toString()).withClasses(2);
  }

  @BeforeEach
  void name(TestInfo info) {
    // Classes have methods with the same names and share the broker.
    name = getClass().getSimpleName() + "-" + info.getTestMethod().orElseThrow().getName();
  }

  // ---- runs -----------------------------------------------------------------------------------

  static List<String> calm(ExchangeType exchange) throws Exception {
    String name = "calm" + exchange;
    ChaosRun calm = run(name, exchange, OPTIONS, Optional.empty(), new Configuration());
    GatedModel.gate(name).letPass(ALL);
    return calm.digests();
  }

  static ChaosRun run(String name, Optional<EventSource> events, Configuration settings)
      throws Exception {
    return run(name, ExchangeType.TREE, OPTIONS, events, settings);
  }

  static ChaosRun run(
      String name,
      ExchangeType exchange,
      ExchangeOptions options,
      Optional<EventSource> events,
      Configuration settings)
      throws Exception {
    return run(name, exchange, options, StoppingRule.NONE, events, settings);
  }

  static ChaosRun run(
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
            new SampleSource(data, data.check().train().samples(), 7, EPOCHS, 20),
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

  Configuration checkpointing() {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "50ms");
    settings.setString("execution.checkpointing.dir", folder.resolve(name).toUri().toString());
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.attempts", "1");
    settings.setString("restart-strategy.fixed-delay.delay", "10ms");
    return settings;
  }

  /**
   * Returns settings with checkpoints that may fail, as in a real run, when the job begins or ends.
   */
  Configuration tolerantCheckpointing() {
    Configuration settings = checkpointing();
    settings.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
    return settings;
  }

  /** Waits for two checkpoints, so that the second one certainly began after this call. */
  void awaitTwoCheckpoints() {
    long seen = checkpoints();
    await(() -> checkpoints() > seen + 1);
  }

  /** Returns the number of the newest checkpoint. */
  long checkpoints() {
    return Checkpoints.newestBelow(folder.resolve(name))
        .map(path -> Long.parseLong(path.getFileName().toString().replace("chk-", "")))
        .orElse(0L);
  }

  static void assertAllHit(ChaosRun faulty) {
    assertThat(faulty.deadLetters()).isEmpty();
    Set<String> events = Set.of("line/1", "line/2", "line/3", "line/4", "line/5");
    assertThat(faulty.happenings(Outcome.APPLIED)).hasSameSizeAs(events);
    assertThat(faulty.ids(Outcome.TOUCHED)).isEqualTo(events);
  }

  /** Runs on links that are all lossy, one of which is cut; lost messages are retransmitted. */
  ChaosRun amongFaults(ExchangeType exchange) throws Exception {
    String everywhere = " random 6 seed 7 among all ";
    List<String> events =
        List.of(
            "drop" + everywhere + "probability 0.05",
            "corrupt" + everywhere + "probability 0.05",
            "duplicate" + everywhere + "probability 0.1",
            "reorder" + everywhere + "probability 0.1 within 2ms",
            // Long enough for a message of this round on a busy machine, and shorter than the
            // silence after which ranks are asked whether they are there.
            "cut 1 0 at-round 4 for 900ms");
    ChaosRun run =
        run(
            name + exchange,
            exchange,
            OPTIONS,
            Optional.of(new EventSource.Lines(events)),
            new Configuration());
    GatedModel.gate(name + exchange).letPass(50);
    await(() -> FLINK.counted(run.client().getJobID(), BraidMetric.SENT_AGAIN) > 0);
    GatedModel.gate(name + exchange).letPass(ALL);
    return run;
  }

  /** Runs rounds 5 to 20 without worker 3, which rejoins through an event of a round. */
  ChaosRun cutOffForRounds(ExchangeType exchange) throws Exception {
    List<String> events = List.of("isolate 3 at-round 5", "rejoin 3 at-round 20");
    ChaosRun run =
        run(
            name,
            exchange,
            OPTIONS,
            Optional.of(new EventSource.Lines(events)),
            new Configuration());
    GatedModel.gate(name).letPass(40);
    await(() -> GatedModel.gate(name).countAt(40) >= WORKERS - 1);
    return run;
  }

  // ---- events --------------------------------------------------------------------------------

  KafkaTopic topic() {
    return new KafkaTopic(BROKER.process().address(), name, new TreeMap<>());
  }

  static EventSource source(KafkaTopic topic) throws BrokerAwayException {
    Map<Integer, Long> offsets = KafkaTopics.offsets(topic, false);
    return new EventSource.Topic(topic, offsets);
  }

  /** Sends an event and waits for the first event with this outcome. */
  static void sendUntil(Outcome outcome, ChaosRun run, KafkaTopic topic, String event)
      throws Exception {
    send(topic, event);
    await(() -> run.happenings(outcome).size() == 1);
  }

  static void send(KafkaTopic topic, String event) throws Exception {
    try (KafkaTopics.Lines lines = KafkaTopics.write(topic)) {
      lines.add(event);
    }
  }

  /** Lets 5 rounds pass and then isolates worker 3. */
  void isolateAfterRound5(ChaosRun run, KafkaTopic topic) throws Exception {
    GatedModel.gate(name).letPass(5);
    await(() -> GatedModel.gate(name).least() == 5);
    sendUntil(Outcome.APPLIED, run, topic, "isolate 3 id i");
  }

  // ---- waiting --------------------------------------------------------------------------------

  static void await(BooleanSupplier condition) {
    TrainingCluster.await(condition);
  }
}
