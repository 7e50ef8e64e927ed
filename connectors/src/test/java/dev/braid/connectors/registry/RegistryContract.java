package dev.braid.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.OffsetRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests for registries of all kinds. */
abstract class RegistryContract {

  static final String DIGEST = "5dcb6aab1195abdc91009598e8fed331d8154931930af33f08e60e4cce15b2f1";

  /** More writes than any publication in these tests has. */
  private static final int MANY_WRITES = 50;

  private ModelRegistry registry;

  /** Returns the place of the registry of this test, which does not exist at first. */
  abstract String place();

  abstract Map<String, String> kafka();

  /** Opens the registry for a process that dies after {@code writes} writes. */
  abstract ModelRegistry dyingAfter(int writes) throws Exception;

  /** Adds or replaces records or files, by the names that the registry gives to descriptions. */
  abstract void put(Map<String, String> texts) throws Exception;

  /** Changes the stored content of a file. */
  abstract void damage(ModelVersion version, String name) throws Exception;

  @BeforeEach
  void open() throws Exception {
    registry = another();
  }

  @AfterEach
  void close() {
    registry.close();
  }

  final ModelRegistry registry() {
    return registry;
  }

  final ModelRegistry another() throws IOException {
    return new RegistryPlace(place(), kafka()).open();
  }

  static Map<String, byte[]> contents(int seed, int bytes) {
    byte[] model = new byte[bytes];
    new Random(seed).nextBytes(model);
    return Map.of(
        ModelVersion.MODEL, model, ModelVersion.CARD, "{}".getBytes(StandardCharsets.UTF_8));
  }

  static ModelVersion version(int number, Map<String, byte[]> contents) {
    return new ModelVersion(
            ModelVersion.FORMAT,
            number,
            "0.1.0",
            1_700_000_000_000L + number,
            "run",
            10L * number,
            DIGEST,
            "kafka:sea",
            "out/lineage",
            3,
            List.of(new OffsetRange(0, 5, 105)),
            new TreeMap<>(Map.of("loss", 0.5)),
            new TreeMap<>())
        .with(number, contents);
  }

  private static ModelVersion publish(ModelRegistry into, int number) throws IOException {
    Map<String, byte[]> contents = contents(number, 1000);
    ModelVersion version = version(number, contents);
    into.publish(version, contents);
    return version;
  }

  private static void assertWhole(ModelRegistry reader, ModelVersion version) throws IOException {
    assertThat(reader.version(version.number())).contains(version);
    for (Map.Entry<String, ModelVersion.FileSum> file : version.files().entrySet()) {
      assertThat(ModelVersion.FileSum.of(reader.file(version, file.getKey())))
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void aRegistryThatDoesNotExistIsEmpty() throws Exception {
    assertThat(registry.numbers()).isEmpty();
    assertThat(registry.pinned()).isEmpty();
    assertThat(registry.serving()).isEmpty();
    assertThat(registry.version(1)).isEmpty();
    assertThat(registry.removeLeftovers(Long.MAX_VALUE)).isEmpty();
    registry.remove(1);
    registry.pin(OptionalInt.empty());
    assertThatThrownBy(() -> registry.pin(OptionalInt.of(1)))
        .isInstanceOf(InvalidDataException.class);
  }

  @Test
  void aFollowerSeesWhatIsPublished_pinned_andRemoved() throws Exception {
    try (ModelRegistry follower = another()) {
      assertThat(follower.serving()).isEmpty();
      ModelVersion first = publish(registry, 1);
      assertThat(follower.serving()).hasValue(1);
      assertWhole(follower, first);
      ModelVersion second = publish(registry, 2);
      assertThat(follower.serving()).hasValue(2);
      assertWhole(follower, second);

      registry.pin(OptionalInt.of(1));
      publish(registry, 3);
      assertThat(follower.numbers()).containsExactly(1, 2, 3);
      assertThat(follower.pinned()).hasValue(1);
      assertThat(follower.serving()).hasValue(1);
      registry.pin(OptionalInt.empty());
      assertThat(follower.pinned()).isEmpty();
      assertThat(follower.serving()).hasValue(3);

      registry.remove(2);
      registry.remove(2);
      assertThat(follower.numbers()).containsExactly(1, 3);
      assertThat(follower.version(2)).isEmpty();
      assertWhole(follower, first);
    }
  }

  /** A follower distinguishes a removal, after which it looks again, from damage. */
  @Test
  void aVersionThatIsRemovedWhileItIsReadIsNotDamaged() throws Exception {
    try (ModelRegistry follower = another()) {
      publish(registry, 1);
      assertThat(follower.serving()).hasValue(1);
      ModelVersion version = follower.version(1).orElseThrow();
      registry.remove(1);
      assertThatThrownBy(() -> follower.file(version, ModelVersion.MODEL))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void publishingAgainChangesNothing_andAnotherModelIsRefused() throws Exception {
    ModelVersion version = publish(registry, 7);
    Map<String, byte[]> others = contents(8, 1000);
    // A restored job has another id and another time of publication.
    registry.publish(version(7, others), others);
    try (ModelRegistry reader = another()) {
      assertWhole(reader, version);
      ModelVersion other =
          ModelVersion.parse(
              "", version(7, others).toJson().replace(DIGEST, "00" + DIGEST.substring(2)));
      assertThatThrownBy(() -> reader.publish(other, others))
          .isInstanceOf(InvalidDataException.class);
      assertWhole(reader, version);
    }
  }

  @Test
  void contentsThatAreNotThoseOfTheVersionAreRefused() {
    ModelVersion version = version(1, contents(1, 10));
    assertThatThrownBy(() -> registry.publish(version, contents(2, 10)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPublicationThatDiesAtAnyWriteShowsNothing_andIsRepeated() throws Exception {
    publish(registry, 1);
    int writes = 0;
    for (boolean hasFailed = true; hasFailed; writes++) {
      int number = writes + 2;
      try (ModelRegistry dying = dyingAfter(writes)) {
        publish(dying, number);
        hasFailed = false;
      } catch (IOException e) {
        assertThat(registry.numbers()).doesNotContain(number).contains(number - 1);
        assertThat(registry.version(number)).isEmpty();
        // Files that the dead process has left do not prevent a publication.
        assertWhole(registry, publish(registry, number));
      }
      assertThat(writes).isLessThan(MANY_WRITES);
    }
    assertThat(writes).isGreaterThan(3);
    assertThat(registry.numbers()).hasSize(writes + 1);
  }

  @Test
  void whatADeadPublicationLeavesIsRemoved_ifItIsOld() throws Exception {
    publish(registry, 1);
    for (int writes = 0; writes < 3; writes++) {
      int number = writes + 2;
      try (ModelRegistry dying = dyingAfter(writes)) {
        assertThatThrownBy(() -> publish(dying, number)).isInstanceOf(IOException.class);
      }
    }
    long anHourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    assertThat(registry.removeLeftovers(anHourAgo)).isEmpty();
    assertThat(registry.removeLeftovers(Long.MAX_VALUE)).isNotEmpty().doesNotContain(1);
    assertThat(registry.removeLeftovers(Long.MAX_VALUE)).isEmpty();
    assertWhole(registry, registry.version(1).orElseThrow());
    assertWhole(registry, publish(registry, 2));
  }

  @Test
  void aDamagedFileIsRefused() throws Exception {
    ModelVersion version = publish(registry, 1);
    damage(version, ModelVersion.MODEL);
    try (ModelRegistry reader = another()) {
      assertThatThrownBy(() -> reader.file(version, ModelVersion.MODEL))
          .isInstanceOf(InvalidDataException.class);
      assertThatThrownBy(() -> reader.file(version, "model.onnx"))
          .isInstanceOf(InvalidDataException.class);
      assertThat(reader.file(version, ModelVersion.CARD)).isNotEmpty();
      reader.remove(1);
      assertThat(reader.numbers()).isEmpty();
    }
  }

  @Test
  void oneDamagedDescriptionHidesNoOtherVersion() throws Exception {
    ModelVersion version = publish(registry, 1);
    put(
        Map.of(
            "v2", "{",
            "v3", version.toJson(),
            "v4", version.toJson().replace("\"format\" : 1", "\"format\" : 2, \"new\" : []"),
            "v5", "x".repeat(ModelVersion.MAX_BYTES + 1),
            "v06", "{}",
            "v7x", "{}",
            "other", "{}"));
    assertThat(registry.numbers()).containsExactly(1, 2, 3, 4, 5);
    assertWhole(registry, version);
    for (int number = 2; number <= 5; number++) {
      int damaged = number;
      assertThatThrownBy(() -> registry.version(damaged)).isInstanceOf(InvalidDataException.class);
      registry.remove(number);
    }
    assertThat(registry.numbers()).containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v0", "../v1", "v99999999999", "17"})
  void aDamagedPinIsRefused(String pin) throws Exception {
    publish(registry, 1);
    put(Map.of("pinned", pin));
    assertThatThrownBy(registry::pinned).isInstanceOf(InvalidDataException.class);
    assertThatThrownBy(registry::serving).isInstanceOf(InvalidDataException.class);
    registry.pin(OptionalInt.empty());
    assertThat(registry.serving()).hasValue(1);
  }

  @Test
  void aThousandVersionsAreListed() throws Exception {
    ModelVersion first = publish(registry, 1);
    SortedMap<String, String> many =
        IntStream.rangeClosed(2, 1000)
            .mapToObj(number -> version(number, contents(number, 10)))
            .collect(
                Collectors.toMap(
                    ModelVersion::name, ModelVersion::toJson, (a, b) -> a, TreeMap::new));
    put(many);
    long startNanos = System.nanoTime();
    assertThat(registry.numbers()).hasSize(1000);
    for (int number : registry.numbers()) {
      assertThat(registry.version(number)).isPresent();
    }
    assertThat(System.nanoTime() - startNanos).isLessThan(Duration.ofMinutes(1).toNanos());
    assertWhole(registry, first);
  }

  @Test
  void aLargeFileIsReadWhole() throws Exception {
    Map<String, byte[]> contents = contents(1, 5_000_001);
    registry.publish(version(1, contents), contents);
    try (ModelRegistry reader = another()) {
      assertWhole(reader, version(1, contents));
    }
  }
}
