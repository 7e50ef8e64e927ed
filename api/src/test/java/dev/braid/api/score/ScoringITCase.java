package dev.braid.api.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.api.Braid;
import dev.braid.api.sample.Encoder;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.run.scoring.NumberedModels;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.RegistryFollower;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.util.ratelimit.GatedRateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests scoring as a part of jobs. */
class ScoringITCase {

  private static final int SLOTS = 4;
  private static final int SWAPS = Integer.getInteger("braid.swaps", 100);

  /**
   * Exclusive limit of features, which are whole numbers, so that a float holds their sums exactly.
   */
  private static final long FEATURES = 1 << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(SLOTS)
              .build());

  private static final Set<String> VERSIONS = ConcurrentHashMap.newKeySet();
  private static final AtomicLong COUNTED = new AtomicLong();
  private static final AtomicLong FAILURES = new AtomicLong();

  @TempDir private Path folder;

  private NumberedModels models;

  @BeforeEach
  void open() throws Exception {
    VERSIONS.clear();
    COUNTED.set(0);
    FAILURES.set(0);
    models = new NumberedModels(folder.resolve("models"));
  }

  @AfterEach
  void close() {
    models.close();
    Awaitility.await().atMost(PATIENCE).until(() -> followers().isEmpty());
  }

  private static List<String> followers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("braid-versions"))
        .toList();
  }

  private StreamExecutionEnvironment environment() {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.GENERIC_TYPES, false);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(20));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
    env.setParallelism(1);
    return env;
  }

  private static DataStream<Long> numbers(StreamExecutionEnvironment env, long last) {
    return env.fromSource(
        new NumberSequenceSource(0, last), WatermarkStrategy.noWatermarks(), "numbers", Types.LONG);
  }

  private static Encoder<Long> encoder() {
    return Encoder.ofValues(
        1, 1, (number, sample) -> sample.feature(0, (double) (number % FEATURES)));
  }

  private ServedVersions serving() {
    return PublishedModels.at(folder.resolve("models").toString()).follow();
  }

  /** Fails unless the version that a record names has scored it. */
  private static long checked(Scored<Long> scored) {
    long expected = scored.record() % FEATURES + 1000L * ModelVersion.number(scored.version());
    if (scored.error().isPresent() || scored.value() != expected) {
      throw new AssertionError(scored + ": " + expected);
    }
    VERSIONS.add(scored.version());
    return scored.record();
  }

  /** Fails unless records and versions come in order. */
  private static final class InOrder implements MapFunction<Scored<Long>, Long> {
    private static final long serialVersionUID = 1L;
    private long next;
    private int version;

    @Override
    public Long map(Scored<Long> scored) {
      int number = ModelVersion.number(scored.version());
      if (checked(scored) != next || number < version) {
        throw new AssertionError(scored + " after " + next + " and version " + version);
      }
      next++;
      version = number;
      COUNTED.incrementAndGet();
      return next;
    }
  }

  @Test
  void versionsAreSwappedUnderLoad() throws Exception {
    models.publish(1);
    StreamExecutionEnvironment env = environment();
    env.getCheckpointConfig().disableCheckpointing();
    RegistryFollower.Times times =
        new RegistryFollower.Times(Duration.ofMillis(1), Duration.ofSeconds(30));
    Scoring.attach(
            numbers(env, Long.MAX_VALUE - 1),
            serving().config().with(times),
            new EncoderForm<>(encoder()),
            RecordKey.none(),
            (record, score, names) -> new Scored<>(record, score),
            new ScoredType<>(Types.LONG))
        .map(new InOrder())
        .sinkTo(new DiscardingSink<>());
    JobClient job = env.executeAsync();
    for (int number = 2; number <= SWAPS; number++) {
      models.publish(number);
      String name = ModelVersion.name(number);
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> VERSIONS.contains(name) || job.getJobStatus().get().isTerminalState());
      models.registry().remove(number - 1);
    }
    // The first version may have been replaced before it was loaded.
    assertThat(VERSIONS).hasSizeGreaterThanOrEqualTo(SWAPS - 1);
    job.cancel().get();
    Awaitility.await().atMost(PATIENCE).until(() -> job.getJobStatus().get().isTerminalState());
  }

  /** Keeps the numbers that have come, and fails once. */
  private static final class Counting extends RichMapFunction<Long, Long>
      implements CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1L;
    private final long failAfter;
    private transient BitSet seen;
    private transient int count;
    private transient ListState<byte[]> state;
    private transient boolean hasCheckpoint;

    Counting(long failAfter) {
      this.failAfter = failAfter;
    }

    @Override
    public Long map(Long number) {
      if (seen.get((int) (long) number)) {
        throw new AssertionError(number + " has come twice");
      }
      seen.set((int) (long) number);
      count++;
      if (hasCheckpoint && count > failAfter && FAILURES.get() == 0) {
        FAILURES.incrementAndGet();
        throw new IllegalStateException("on purpose");
      }
      COUNTED.set(count);
      return number;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      state.update(List.of(seen.toByteArray()));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("seen", TypeInformation.of(byte[].class)));
      seen = new BitSet();
      for (byte[] bytes : state.get()) {
        seen.or(BitSet.valueOf(bytes));
      }
      count = seen.cardinality();
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      hasCheckpoint = true;
    }
  }

  /** A source of numbers that waits for a checkpoint after each part. */
  private static final class InParts extends NumberSequenceSource {
    private static final long serialVersionUID = 1L;
    private final int part;

    InParts(long last, int part) {
      super(0, last);
      this.part = part;
    }

    @Override
    public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) {
      return new RateLimitedSourceReader<>(
          super.createReader(context), new GatedRateLimiter<>(part));
    }
  }

  @Test
  void afterAFailureEachRecordHasOneScore() throws Exception {
    long records = 300_000;
    models.publish(1);
    StreamExecutionEnvironment env = environment();
    DataStream<Long> numbers =
        env.fromSource(
            new InParts(records - 1, 100_000),
            WatermarkStrategy.noWatermarks(),
            "numbers",
            Types.LONG);
    Braid.score(numbers.rebalance(), serving(), encoder())
        .setParallelism(3)
        .rebalance()
        .map(ScoringITCase::checked)
        .returns(Types.LONG)
        .setParallelism(2)
        .map(new Counting(records / 10))
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>());
    env.execute();
    assertThat(FAILURES).hasValue(1);
    assertThat(COUNTED).hasValue(records);
  }

  /** A record object that operators reuse where they may. */
  public static final class Reused implements Serializable {
    private static final long serialVersionUID = 1L;

    public long number;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordsMayBeUsedAgain(boolean reuse) throws Exception {
    models.publish(1);
    StreamExecutionEnvironment env = environment();
    env.configure(new Configuration().set(PipelineOptions.OBJECT_REUSE, reuse));
    Reused one = new Reused();
    DataStream<Reused> records =
        numbers(env, 999)
            .map(
                number -> {
                  one.number = number;
                  return one;
                })
            .returns(Reused.class);
    CloseableIterator<Scored<Reused>> results =
        Braid.score(
                records,
                serving(),
                Encoder.<Reused>ofValues(
                    1, 1, (record, sample) -> sample.feature(0, (double) record.number)))
            .collectAsync();
    // Another JVM may use the port of a task that has ended, so nothing is read before.
    env.execute();
    List<Scored<Reused>> scored = new ArrayList<>();
    results.forEachRemaining(scored::add);
    assertThat(scored).hasSize(1000);
    for (int i = 0; i < 1000; i++) {
      assertThat(scored.get(i).record().number).isEqualTo(i);
      assertThat(scored.get(i).value()).isEqualTo(1000 + i);
    }
  }
}
