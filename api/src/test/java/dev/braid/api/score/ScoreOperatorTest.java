package dev.braid.api.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.learner.Shape;
import dev.braid.learner.network.RunningScales;
import dev.braid.run.scoring.NoVersionException;
import dev.braid.run.scoring.NumberedModels;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.RegistryFollower;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoreOperatorTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir private Path folder;

  /** Maximum time that the operator waits for a first version. */
  private Duration first = PATIENCE;

  private NumberedModels models;
  private Optional<OneInputStreamOperatorTestHarness<Long, Scored<Long>>> harness =
      Optional.empty();

  @BeforeEach
  void open() throws IOException {
    models = new NumberedModels(folder);
  }

  @AfterEach
  void close() throws Exception {
    if (harness.isPresent()) {
      harness.get().close();
    }
    models.close();
    assertThat(followers()).isEmpty();
  }

  private static List<String> followers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("braid-versions"))
        .toList();
  }

  /** Returns an encoder whose only feature is the record. */
  private static Encoder<Long> numbers() {
    return Encoder.ofValues(
        1,
        1,
        (number, sample) -> {
          if (number == -1) {
            sample.refuse("refused");
          }
          if (number == -2) {
            throw new IllegalArgumentException("failed");
          }
          sample.feature(0, number == -3 ? Double.NaN : number).label(17).weight(-1);
        });
  }

  private ServedVersions serving() {
    return PublishedModels.at(folder.toString()).follow().batchSize(3);
  }

  private OneInputStreamOperatorTestHarness<Long, Scored<Long>> start(ServedVersions serving)
      throws Exception {
    return start(serving, numbers(), RecordKey.none());
  }

  private OneInputStreamOperatorTestHarness<Long, Scored<Long>> start(
      ServedVersions serving, Encoder<Long> encoder, RecordKey<Long> key) throws Exception {
    var created =
        new OneInputStreamOperatorTestHarness<Long, Scored<Long>>(
            new ScoreOperatorFactory<>(
                serving.config().with(new RegistryFollower.Times(Duration.ofMillis(1), first)),
                new EncoderForm<>(encoder),
                key,
                (record, score, names) -> new Scored<>(record, score)),
            Types.LONG.createSerializer(new SerializerConfigImpl()));
    harness = Optional.of(created);
    created.setup(new ScoredType<>(Types.LONG).createSerializer(new SerializerConfigImpl()));
    created.open();
    // The first version causes a mail, too, perhaps a moment after it serves.
    await().until(this::mail);
    while (mail()) {}
    return created;
  }

  private static ConditionFactory await() {
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1));
  }

  private OneInputStreamOperatorTestHarness<Long, Scored<Long>> running() {
    return harness.orElseThrow();
  }

  private void add(long... numbers) throws Exception {
    for (long number : numbers) {
      running().processElement(new StreamRecord<>(number, 10 * number));
    }
  }

  /** Handles one mail, and returns whether there was one. */
  private boolean mail() throws Exception {
    var mail = running().getTaskMailbox().tryTake(0);
    if (mail.isPresent()) {
      mail.get().run();
    }
    return mail.isPresent();
  }

  private List<Scored<Long>> scored() {
    return running().extractOutputValues();
  }

  private static boolean isOfItsVersion(Scored<Long> scored) {
    return scored.value() == scored.record() + 1000L * ModelVersion.number(scored.version());
  }

  private List<String> shown() {
    return scored().stream()
        .map(it -> it.record() + " " + it.version() + " " + it.error().orElse("" + it.value()))
        .toList();
  }

  @Test
  void aFullBatchIsScoredAtOnce() throws Exception {
    models.publish(2);
    start(serving());
    add(1, 2);
    assertThat(scored()).isEmpty();
    add(3);
    assertThat(shown()).containsExactly("1 v2 2001.0", "2 v2 2002.0", "3 v2 2003.0");
    assertThat(running().extractOutputStreamRecords())
        .extracting(StreamRecord::getTimestamp)
        .containsExactly(10L, 20L, 30L);
  }

  @Test
  void aBatchIsScoredWhenTheInputIsIdle() throws Exception {
    models.publish(1);
    start(serving());
    add(1);
    assertThat(mail()).isTrue();
    assertThat(scored()).isEmpty();
    assertThat(mail()).isTrue();
    assertThat(shown()).containsExactly("1 v1 1001.0");
    add(2);
    assertThat(mail()).isTrue();
    add(3);
    assertThat(mail()).isTrue();
    assertThat(scored()).hasSize(1);
    assertThat(mail()).isTrue();
    assertThat(scored()).hasSize(3);
    assertThat(mail()).isFalse();
  }

  @Test
  void aRecordWaitsNoLongerThanItMay() throws Exception {
    models.publish(1);
    start(serving().maxBatchWait(Duration.ofMillis(7)));
    running().setProcessingTime(100);
    add(1);
    running().setProcessingTime(106);
    add(2);
    mail();
    assertThat(scored()).isEmpty();
    running().setProcessingTime(107);
    add(3);
    assertThat(scored()).hasSize(3);
  }

  @Test
  void nothingOvertakesARecord() throws Exception {
    models.publish(1);
    start(serving());
    add(1);
    running().processWatermark(new Watermark(10));
    assertThat(running().getOutput()).hasSize(2).last().isEqualTo(new Watermark(10));
    add(2);
    running().prepareSnapshotPreBarrier(1);
    assertThat(scored()).hasSize(2);
    assertThat(running().snapshot(1, 1).hasState()).isFalse();
    add(3);
    running().endInput();
    assertThat(scored()).hasSize(3);
  }

  @Test
  void recordsThatAreNoSamplesHaveErrorsInTheirPlaces() throws Exception {
    models.publish(1);
    start(serving().batchSize(5));
    add(1, -1, -2, -3, 2);
    assertThat(scored()).extracting(Scored::record).containsExactly(1L, -1L, -2L, -3L, 2L);
    assertThat(scored())
        .extracting(it -> it.error().isEmpty())
        .containsExactly(true, false, false, false, true);
    assertThat(scored().get(1).error()).contains("refused");
    assertThat(scored().get(1).scores()).isEmpty();
    assertThat(scored().get(4).value()).isEqualTo(1002);
    assertThatThrownBy(() -> scored().get(1).value()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void outputsThatAreNoNumbersAreErrors() throws Exception {
    models.publish(1, NumberedModels.VALUE, new float[] {Float.MAX_VALUE, 0}, Optional.empty());
    start(serving());
    add(1, 2, 0);
    assertThat(scored()).extracting(it -> it.error().isEmpty()).containsExactly(true, false, true);
  }

  @Test
  void classesHaveNames() throws Exception {
    Shape shape = Shape.rows(1, 2);
    ModelCard card = ModelCard.ofRows("logistic", "data", shape);
    models.publish(1, shape, new float[] {-1, 1, 0, 0}, Optional.of(card));
    start(
        serving().batchSize(2),
        Encoder.ofClasses(1, 2, (number, sample) -> sample.feature(0, number)),
        RecordKey.none());
    add(-5, 5);
    assertThat(scored()).extracting(Scored::classNumber).containsExactly(0, 1);
    assertThat(scored()).extracting(it -> it.label().orElseThrow()).containsExactly("0", "1");
    assertThat(scored().get(0).scores()[0] + scored().get(0).scores()[1]).isEqualTo(1);
  }

  @Test
  void featuresAreStandardizedAsInTraining() throws Exception {
    ModelCard card =
        ModelCard.ofRows("logistic", "data", NumberedModels.VALUE)
            .scaledBy(List.of(new RunningScales.Scale(10, 2)));
    models.publish(1, NumberedModels.VALUE, new float[] {1, 0}, Optional.of(card));
    start(serving());
    add(10, 14, 8);
    assertThat(scored()).extracting(Scored::value).containsExactly(0f, 2f, -1f);
  }

  @Test
  void versionsAreSwappedBetweenTwoRecords() throws Exception {
    models.publish(1);
    start(serving());
    add(1, 2);
    models.publish(2);
    await()
        .until(
            () -> {
              add(3);
              while (mail()) {}
              return scored().get(scored().size() - 1).version().equals("v2");
            });
    assertThat(scored().get(0).version()).isEqualTo("v1");
    assertThat(scored()).allMatch(ScoreOperatorTest::isOfItsVersion);
    assertThat(scored()).extracting(Scored::version).isSorted();
  }

  @Test
  void withoutAVersionItFails() {
    first = SHORT;
    assertThatThrownBy(() -> start(serving()))
        .isInstanceOf(NoVersionException.class)
        .hasMessageContaining(folder.toString());
  }

  @Test
  void withoutItsVersionItFails() throws Exception {
    first = SHORT;
    models.publish(1);
    assertThatThrownBy(() -> start(PublishedModels.at(folder.toString()).version("v7")))
        .isInstanceOf(NoVersionException.class)
        .hasMessageContaining("v7");
  }

  @Test
  void withAFirstVersionOfOtherSamplesItFails() throws Exception {
    models.publish(1, Shape.rows(2, 2), new float[] {1, 2, 3, 4, 5, 6}, Optional.empty());
    assertThatThrownBy(() -> start(serving()))
        .isInstanceOf(NoVersionException.class)
        .hasMessageContaining("v1");
  }

  @Test
  void aFixedVersionIsKept() throws Exception {
    models.publish(1);
    models.publish(2);
    start(PublishedModels.at(folder.toString()).version("v1").batchSize(1));
    add(1);
    assertThat(shown()).containsExactly("1 v1 1001.0");
  }

  @Test
  void aCanaryScoresItsShareOfTheKeys() throws Exception {
    models.publish(1);
    models.publish(2);
    start(
        PublishedModels.at(folder.toString()).version("v1").canary("v2", 0.1).batchSize(100),
        numbers(),
        Scoring.key(number -> Long.toString(number % 1000)));
    for (long i = 0; i < 3000; i++) {
      add(i);
    }
    running().endInput();
    Map<Long, List<String>> versions =
        scored().stream()
            .collect(
                Collectors.groupingBy(
                    it -> it.record() % 1000,
                    Collectors.mapping(Scored::version, Collectors.toList())));
    assertThat(versions).hasSize(1000);
    assertThat(versions.values()).allMatch(it -> it.stream().distinct().count() == 1);
    assertThat(versions.values().stream().filter(it -> it.contains("v2")).count())
        .isBetween(70L, 130L);
    assertThat(scored()).allMatch(ScoreOperatorTest::isOfItsVersion);
    assertThat(scored())
        .extracting(Scored::record)
        .containsExactlyElementsOf(LongStream.range(0, 3000).boxed().toList());
  }

  @Test
  void withoutAKeyFeaturesDecide() throws Exception {
    models.publish(1);
    models.publish(2);
    start(PublishedModels.at(folder.toString()).version("v1").canary("v2", 0.5).batchSize(10));
    for (long i = 0; i < 1000; i++) {
      add(i % 100);
    }
    Map<Long, Long> versions =
        scored().stream()
            .collect(
                Collectors.groupingBy(
                    Scored::record,
                    Collectors.collectingAndThen(
                        Collectors.mapping(Scored::version, Collectors.toSet()),
                        it -> (long) it.size())));
    assertThat(versions.values()).containsOnly(1L);
    assertThat(scored().stream().filter(it -> it.version().equals("v2")).count())
        .isBetween(300L, 700L);
  }
}
