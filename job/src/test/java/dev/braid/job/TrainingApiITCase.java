package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.api.Braid;
import dev.braid.api.DataSet;
import dev.braid.api.EpochFigures;
import dev.braid.api.Network;
import dev.braid.api.Optimizer;
import dev.braid.api.Replayed;
import dev.braid.api.StreamRun;
import dev.braid.api.TopicSamples;
import dev.braid.api.Training;
import dev.braid.api.TrainingRun;
import dev.braid.api.sample.Encoder;
import dev.braid.api.score.PublishedModels;
import dev.braid.api.score.Scored;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.OffsetRange;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.training.ModelCard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trainings that programs add to their own jobs. */
class TrainingApiITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();
  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  private static final int LAST_WINDOWS = 5;

  private static final Map<String, AtomicInteger> MAPPED = new ConcurrentHashMap<>();

  @TempDir private Path folder;

  private Training training(String out) {
    return Braid.training(Network.preset("logistic"))
        .optimizer(Optimizer.adam(0.01))
        .batchSize(10)
        .window(20)
        .results(folder.resolve(out).toString());
  }

  /** Returns an encoder of points above and below a line; each hundredth record is invalid. */
  private static Encoder<Long> points() {
    return Encoder.ofClasses(
        2,
        2,
        (number, sample) -> {
          SplittableRandom random = new SplittableRandom(number);
          double x = random.nextDouble(-1, 1);
          double y = random.nextDouble(-1, 1);
          sample.feature(0, x).feature(1, y).label(x + y > 0 ? 1 : 0);
          if (number % 100 == 99) {
            sample.refuse("each hundredth is refused");
          }
        });
  }

  private Outcome outcome(String out) throws Exception {
    return RunHistory.read(folder.resolve(out).resolve("history.jsonl")).outcome().orElseThrow();
  }

  private StreamExecutionEnvironment environment() {
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    settings.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        folder.resolve("checkpoints").toUri().toString());
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    return FLINK.environment(3, settings);
  }

  @Test
  void aDataSetIsFitted() throws Exception {
    StreamExecutionEnvironment env = environment();
    TrainingRun training =
        training("iris").fit(env, DataSet.table("../docs/example/iris.csv", "species"), 5);
    CloseableIterator<EpochFigures> figures = training.figures().collectAsync();
    env.execute();
    assertThat(figures)
        .toIterable()
        .extracting(EpochFigures::epoch)
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(outcome("iris").ledgerExact()).isTrue();
    assertThat(folder.resolve("iris/model.zip")).exists();
    assertThat(folder.resolve("iris/model.json")).exists();
  }

  /** An untrained model must not replace one that is in service. */
  @Test
  void aStreamOfWhichAllRecordsAreRefusedPublishesNothing() throws Exception {
    StreamExecutionEnvironment env = environment();
    PublishedModels models = PublishedModels.at(folder.resolve("models").toString());
    Encoder<Long> none = Encoder.ofClasses(2, 2, (number, sample) -> sample.refuse("as all are"));
    training("out").publish(models, Duration.ZERO).train(env.fromSequence(0, 2_000), none);
    env.execute();
    assertThat(outcome("out").ledger()).contains("0 records trained on", "2,001 refused");
    try (ModelRegistry registry = models.registry().open()) {
      assertThat(registry.numbers()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"ring, 1", "ring, 3", "ft-tree, 2", "ps, 2", "ps:consistency=async, 3", "ako, 3"})
  void aStreamIsUsedToItsLastRecord(String exchange, int workers) throws Exception {
    StreamExecutionEnvironment env = environment();
    PublishedModels models = PublishedModels.at(folder.resolve("models").toString());
    Training training =
        training("out").exchange(exchange).workers(workers).publish(models, Duration.ZERO);
    if (exchange.equals("ako") || exchange.endsWith("async")) {
      training = training.optimizer(Optimizer.momentum(0.01));
    }
    // Senders end at different times, and all workers have different numbers of records.
    StreamRun<Long> trained = training.train(env.fromSequence(0, 6_432), points());
    CloseableIterator<Tuple2<Long, String>> refused = trained.refused().collectAsync();
    env.execute();
    assertThat(refused).toIterable().hasSize(64).allMatch(it -> it.f0 % 100 == 99);
    Outcome outcome = outcome("out");
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    assertThat(outcome.ledger())
        .contains("6,433 offsets", "6,369 records trained on", "64 refused");
    try (ModelRegistry registry = models.registry().open()) {
      ModelVersion last = registry.version(registry.numbers().last()).orElseThrow();
      assertThat(last.digest()).isEqualTo(outcome.digest());
      assertThat(last.round()).isEqualTo(outcome.rounds());
    }
    StreamExecutionEnvironment scoring = environment();
    CloseableIterator<Scored<Long>> scored =
        Braid.score(scoring.fromSequence(0, 999), models.follow(), points()).collectAsync();
    scoring.execute();
    assertThat(scored)
        .toIterable()
        .hasSize(1_000)
        .allMatch(it -> it.error().isPresent() == (it.record() % 100 == 99));
    assertThat(folder.resolve("out/model.zip")).exists();
  }

  /** Returns an encoder of points above and below a line, far from 0 and on different scales. */
  private static Encoder<Long> unscaled() {
    return Encoder.ofClasses(
        3,
        2,
        (number, sample) -> {
          SplittableRandom random = new SplittableRandom(number);
          double x = random.nextDouble(-1, 1);
          double y = random.nextDouble(-1, 1);
          sample.feature(0, 3000 + 500 * x).feature(1, 1e-6 + 1e-6 * y).feature(2, 7);
          sample.label(x + y > 0 ? 1 : 0);
        });
  }

  /** Returns the accuracy in the last windows together; the very last has only few records. */
  private double lastAccuracy(Training training) throws Exception {
    StreamExecutionEnvironment env = environment();
    training.holdout(0.1).train(env.fromSequence(0, 20_000), unscaled());
    env.execute();
    List<Evaluation> windows = RunHistory.read(folder.resolve("out/history.jsonl")).evaluations();
    double correct = 0;
    long samples = 0;
    for (Evaluation window : windows.subList(windows.size() - LAST_WINDOWS, windows.size())) {
      correct += window.testSamples() > 0 ? window.testAccuracy() * window.testSamples() : 0;
      samples += window.testSamples();
    }
    assertThat(samples).isPositive();
    return correct / samples;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ring",
        "ring:compress=threshold:5%",
        "ring:sharded=on",
        "averaging",
        "ps:consistency=async",
        "ako:partitions=2",
        "gossip",
        "sharing"
      })
  void standardizedFeaturesOfAStreamAreLearnt(String exchange) throws Exception {
    Training training = training("out").exchange(exchange).workers(3);
    training = training.optimizer(Optimizer.momentum(0.05));
    assertThat(lastAccuracy(training.standardized())).isGreaterThan(0.93);
    ModelCard card = ModelCard.beside(folder.resolve("out/model.zip"));
    TableColumn first = card.schema().orElseThrow().columns().get(0);
    assertThat(first.mean()).isCloseTo(3000, within(100.0));
    assertThat(first.deviation()).isCloseTo(500 / Math.sqrt(3), within(60.0));
  }

  @Test
  void otherwiseTheyAreNot_andTheSavedModelKnowsTheScales() throws Exception {
    assertThat(lastAccuracy(training("out"))).isLessThan(0.85);
    assertThat(lastAccuracy(training("out").standardized())).isGreaterThan(0.93);
    String rows = "3400,1.9e-6,7\n2600,0.1e-6,7\n";
    CommandRun predicted =
        CommandRun.of(
            "predict",
            "--model",
            folder.resolve("out/model.zip").toString(),
            Files.writeString(folder.resolve("rows.csv"), rows).toString());
    assertThat(predicted.exitCode()).as(predicted.err()).isZero();
    assertThat(predicted.out().lines().skip(1).map(it -> it.charAt(0))).containsExactly('1', '0');
  }

  /** Function that fails once, at a given record. */
  private record FailingOnce(String test, int at) implements MapFunction<Long, Long> {

    @Override
    public Long map(Long number) {
      if (MAPPED.computeIfAbsent(test, key -> new AtomicInteger()).incrementAndGet() == at) {
        throw new IllegalStateException("fails once");
      }
      return number;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring", "ako", "ps:servers=1"})
  void eachRecordIsUsedOnceAcrossFailures(String exchange) throws Exception {
    StreamExecutionEnvironment env = environment();
    // The first third waits for a checkpoint, so the failure is after one.
    DataStream<Long> numbers =
        numbers(env, 60_001, perCheckpoint(20_000)).map(new FailingOnce(folder.toString(), 30_000));
    Optimizer plain = Optimizer.momentum(0.01);
    training("out").exchange(exchange).optimizer(plain).workers(2).train(numbers, points());
    env.execute();
    Outcome outcome = outcome("out");
    assertThat(RunHistory.read(folder.resolve("out/history.jsonl")).evaluations())
        .extracting(Evaluation::epoch)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    assertThat(outcome.ledger()).contains("60,001 offsets");
  }

  private static DataStream<Long> numbers(
      StreamExecutionEnvironment env, long count, RateLimiterStrategy<NumberSequenceSplit> pace) {
    return env.fromSource(
        new DataGeneratorSource<>(number -> number, count, pace, Types.LONG),
        WatermarkStrategy.noWatermarks(),
        "numbers");
  }

  @SuppressWarnings("unchecked") // Flink's strategies have no type for splits
  private static RateLimiterStrategy<NumberSequenceSplit> perSecond(double numbers) {
    return RateLimiterStrategy.perSecond(numbers);
  }

  @SuppressWarnings("unchecked")
  private static RateLimiterStrategy<NumberSequenceSplit> perCheckpoint(int numbers) {
    return RateLimiterStrategy.perCheckpoint(numbers);
  }

  /** Pace of a reader that stops after some numbers for good, so that its job cannot end. */
  private static final class Stopping implements RateLimiter<NumberSequenceSplit> {
    private final RateLimiter<NumberSequenceSplit> pace;
    private long left = 8_000;

    Stopping(RateLimiter<NumberSequenceSplit> pace) {
      this.pace = pace;
    }

    @Override
    public CompletionStage<Void> acquire(int numbers) {
      left -= numbers;
      return left < 0 ? new CompletableFuture<>() : pace.acquire(numbers);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 4, ring, true", "4, 3, ring, false", "3, 3, ako, true"})
  void anotherNumberOfWorkersContinues(
      int before, int after, String exchange, boolean isStandardized) throws Exception {
    Training plain = training("out").exchange(exchange).optimizer(Optimizer.momentum(0.01));
    Training training = isStandardized ? plain.standardized() : plain;
    StreamExecutionEnvironment env = environment();
    // The job must not end before the savepoint.
    RateLimiterStrategy<NumberSequenceSplit> pace = perSecond(3000);
    RateLimiterStrategy<NumberSequenceSplit> stopping =
        readers -> new Stopping(pace.createRateLimiter(readers));
    training.workers(before).train(numbers(env, 30_001, stopping), points());
    JobClient job = env.executeAsync();
    Path history = folder.resolve("out/history.jsonl");
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> Files.exists(history) && Files.readAllLines(history).size() >= 10);
    FLINK.awaitAllTasks(job);
    String savepoint =
        job.triggerSavepoint(folder.resolve("saved").toString(), SavepointFormatType.CANONICAL)
            .get();
    job.cancel().get();

    Configuration settings = new Configuration();
    settings.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    StreamExecutionEnvironment restored = FLINK.environment(3, settings);
    training.workers(after).train(numbers(restored, 30_001, perSecond(1_000_000)), points());
    restored.execute();
    Outcome outcome = outcome("out");
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    assertThat(outcome.ledger()).contains("30,001 offsets");
  }

  @Test
  void aTopicIsReadWithTheProgramsOwnSchema() throws Exception {
    CommandRun fed =
        CommandRun.ofLine(
            "feed --topic own --stream sea --records 3000 --format csv --kafka-brokers "
                + BROKER.process().address());
    assertThat(fed.exitCode()).isZero();
    Encoder<String> encoder =
        Encoder.ofClasses(
            3,
            2,
            (line, sample) -> {
              String[] cells = line.split(",", -1);
              for (int i = 0; i < 3; i++) {
                sample.feature(i, Double.parseDouble(cells[i]));
              }
              sample.label(Integer.parseInt(cells[3]));
            });
    StreamExecutionEnvironment env = environment();
    Training training = training("out").workers(3);
    TopicSamples<String> samples =
        TopicSamples.of(BROKER.process().address(), "own", new SimpleStringSchema(), encoder)
            .untilLatest();
    training.fitContinuously(env, samples);
    env.execute();
    Outcome outcome = outcome("out");
    assertThat(outcome.ledgerExact()).as(outcome.ledger()).isTrue();
    Replayed replayed = training.replay(samples);
    assertThat(replayed.compared()).isEqualTo(5);
    assertThat(replayed.firstDifference()).isEmpty();
    RecordedRun run = RecordedRun.read(folder.resolve("out/lineage").toString());
    assertThat(
            run.deals().stream()
                .flatMap(deal -> deal.shares().stream())
                .mapToLong(OffsetRange::count)
                .sum())
        .isEqualTo(3_000);

    Training kept = training("kept").workers(3);
    TopicSamples<String> logged = samples.lineageTopic("own.lineage");
    StreamExecutionEnvironment other = environment();
    kept.fitContinuously(other, logged);
    other.execute();
    assertThat(folder.resolve("kept/lineage")).doesNotExist();
    assertThat(kept.replay(logged)).isEqualTo(replayed);
  }
}
