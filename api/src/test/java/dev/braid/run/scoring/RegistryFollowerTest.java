package dev.braid.run.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.learner.Shape;
import dev.braid.run.training.ModelCard;
import dev.braid.worker.report.BraidMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryFollowerTest {

  private static final RegistryFollower.Times TIMES =
      new RegistryFollower.Times(Duration.ofMillis(1), Duration.ofMinutes(1));

  private static final int SWAPS = Integer.getInteger("braid.swaps", 200);

  @TempDir private Path folder;
  @TempDir private Path elsewhere;

  private final Metrics metrics = new Metrics();
  private final List<RecordScore> scores = new ArrayList<>();

  private NumberedModels models;
  private RegistryFollower<Long> follower;
  private RecordScorer<Long> scorer;

  /** Keeps metrics by name. */
  private static final class Metrics extends UnregisteredMetricsGroup {
    private final Map<String, Metric> all = new ConcurrentHashMap<>();

    @Override
    public MetricGroup addGroup(String name) {
      assertThat(name).isEqualTo(BraidMetric.GROUP);
      return this;
    }

    @Override
    public Counter counter(String name) {
      return counter(name, new SimpleCounter());
    }

    @Override
    public <C extends Counter> C counter(String name, C counter) {
      all.put(name, counter);
      return counter;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      all.put(name, gauge);
      return gauge;
    }

    long count(BraidMetric metric) {
      return ((Counter) all.get(metric.key())).getCount();
    }

    double value(BraidMetric metric) {
      return ((Number) ((Gauge<?>) all.get(metric.key())).getValue()).doubleValue();
    }
  }

  /** Reads a record as its only feature. */
  private record OneNumber(Shape shape) implements FeatureReader<Long> {

    @Override
    public void read(Long record, float[] into, int offset) {
      into[offset] = record;
    }
  }

  private static FeatureReader<Long> reader(Optional<ModelCard> card) {
    if (card.isPresent() && !card.get().shape().equals(NumberedModels.VALUE)) {
      throw new InvalidDataException("other samples");
    }
    return new OneNumber(NumberedModels.VALUE);
  }

  @BeforeEach
  void open() throws IOException {
    models = new NumberedModels(folder);
  }

  private void start(RegistryFollower.Times times) throws Exception {
    VersionChoice choice = VersionChoice.follow(RegistryPlace.folder(folder.toString()));
    ScoringMetrics own = new ScoringMetrics(metrics);
    follower =
        new RegistryFollower<>(
            "follower", choice, RegistryFollowerTest::reader, 10, own, times, () -> {});
    follower.await();
    scorer = new RecordScorer<>(follower, choice, RecordKey.none(), 10, own);
  }

  @AfterEach
  void close() {
    if (scorer != null) {
      scorer.close();
    }
    if (follower != null) {
      follower.close();
    }
    models.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("follower");
  }

  /** Returns the score of the number 5. */
  private RecordScore score() {
    scorer.swap((record, score, names) -> scores.add(score));
    scorer.add(new StreamRecord<>(5L));
    scorer.flush((record, score, names) -> scores.add(score));
    RecordScore last = scores.get(scores.size() - 1);
    assertThat(last.scores()).containsExactly(5 + 1000 * ModelVersion.number(last.version()));
    return last;
  }

  private static ConditionFactory await() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1));
  }

  private void awaitVersion(int number) {
    await().until(() -> score().version().equals(ModelVersion.name(number)));
  }

  private void awaitRefusals(int number) {
    await()
        .until(
            () -> {
              assertThat(score().version()).isEqualTo("v1");
              return metrics.count(BraidMetric.REFUSED_VERSIONS) >= number;
            });
    assertThat(metrics.count(BraidMetric.REFUSED_VERSIONS)).isEqualTo(number);
  }

  @Test
  void aVersionThatCannotServeReplacesNoGoodOne() throws Exception {
    models.publish(1);
    start(TIMES);
    // No model, a model of other samples, a card of other samples, a newer form, a damaged file.
    models.publish(2, Map.of(ModelVersion.MODEL, new byte[] {'P', 'K', 3, 4, 0}));
    awaitRefusals(1);
    models.publish(3, Shape.rows(2, 2), new float[] {1, 2, 3, 4, 5, 6}, Optional.empty());
    awaitRefusals(2);
    models.publish(
        4,
        NumberedModels.VALUE,
        new float[] {1, 0},
        Optional.of(ModelCard.ofRows("m", "d", Shape.rows(5, 3))));
    awaitRefusals(3);
    models.publish(5, Map.of(ModelVersion.CARD, new byte[] {'{', '}'}));
    awaitRefusals(4);
    put("v6.json", "{\"format\": 99}");
    awaitRefusals(5);
    // Its files are missing.
    try (NumberedModels others = new NumberedModels(elsewhere)) {
      others.publish(7);
    }
    put("v7.json", Files.readString(elsewhere.resolve("v7.json")));
    awaitRefusals(6);
    models.publish(80);
    awaitVersion(80);
    assertThat(metrics.value(BraidMetric.SERVED_VERSION)).isEqualTo(80);
    assertThat(metrics.value(BraidMetric.SERVED_VERSION_AGE)).isBetween(0.0, 60.0);
    assertThat(metrics.count(BraidMetric.SCORED_RECORDS)).isEqualTo(scores.size());
    assertThat(metrics.count(BraidMetric.SCORING_ERRORS)).isZero();
  }

  /** Writes a file atomically, as registries do: a part of one would be refused, too. */
  private void put(String name, String text) throws IOException {
    Path part = Files.writeString(folder.resolve("part"), text);
    Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void whileTheRegistryIsGoneTheGoodVersionServes() throws Exception {
    models.publish(1);
    start(TIMES);
    Path away = folder.resolveSibling(folder.getFileName() + "-away");
    Files.move(folder, away);
    for (int i = 0; i < 10; i++) {
      assertThat(score().version()).isEqualTo("v1");
    }
    Files.move(away, folder);
    models.publish(2);
    awaitVersion(2);
    assertThat(metrics.count(BraidMetric.REFUSED_VERSIONS)).isZero();
    assertThat(metrics.count(BraidMetric.VERSION_SWAPS)).isEqualTo(1);
  }

  @Test
  void manyVersionsLeaveNothingBehind() throws Exception {
    models.publish(1);
    start(TIMES);
    for (int number = 2; number <= 50; number++) {
      models.publish(number);
      awaitVersion(number);
    }
    long arrays = Pointer.totalBytes();
    for (int number = 51; number <= SWAPS; number++) {
      models.publish(number);
      awaitVersion(number);
      models.registry().remove(number - 10);
    }
    assertThat(metrics.count(BraidMetric.VERSION_SWAPS)).isEqualTo(SWAPS - 1);
    assertThat(Pointer.totalBytes() - arrays).isLessThan(1 << 20);
    assertThat(scores.stream().map(RecordScore::version).map(ModelVersion::number).toList())
        .isSorted();
  }

  @Test
  void anUnreadableRegistryIsNamedWhenNoVersionCame() throws Exception {
    Files.createDirectories(folder.resolve("v1.json"));
    assertThatThrownBy(
            () -> start(new RegistryFollower.Times(Duration.ofMillis(1), Duration.ofMillis(300))))
        .isInstanceOf(NoVersionException.class)
        .hasMessageContaining(folder.toString());
  }

  private static Set<String> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("braid-model"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void temporaryFilesAreDeleted() throws Exception {
    Set<String> before = temporaryFiles();
    models.publish(1);
    start(TIMES);
    // Temporary files of other processes come and go.
    await().until(() -> before.containsAll(temporaryFiles()));
  }
}
