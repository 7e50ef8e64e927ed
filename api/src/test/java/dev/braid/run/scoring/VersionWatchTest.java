package dev.braid.run.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionWatchTest {

  @TempDir private Path folder;

  private ModelRegistry registry;

  /** Versions that the loader was asked for. */
  private final List<Integer> asked = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    registry = RegistryPlace.folder(folder.toString()).open();
  }

  private void publish(int number) throws IOException {
    registry.publish(NumberedModels.version(number).with(number, Map.of()), Map.of());
  }

  private int load(ModelRegistry from, ModelVersion version) throws IOException {
    asked.add(version.number());
    return version.number();
  }

  private final VersionWatch<Integer> watch = new VersionWatch<>(OptionalInt.empty(), this::load);

  @Test
  void loadsEachNewestVersionOnce() throws Exception {
    assertThat(watch.poll(registry)).isEmpty();
    publish(1);
    assertThat(watch.poll(registry)).contains(1);
    assertThat(watch.poll(registry)).isEmpty();
    publish(2);
    publish(3);
    assertThat(watch.poll(registry)).contains(3);
    assertThat(asked).containsExactly(1, 3);
    assertThat(watch.refusal()).isEmpty();
  }

  @Test
  void followsPins() throws Exception {
    publish(1);
    publish(2);
    registry.pin(OptionalInt.of(1));
    assertThat(watch.poll(registry)).contains(1);
    // If the version in service is removed, it stays in service.
    registry.remove(1);
    assertThat(watch.poll(registry)).isEmpty();
    registry.pin(OptionalInt.empty());
    assertThat(watch.poll(registry)).contains(2);
    publish(3);
    registry.pin(OptionalInt.of(2));
    assertThat(watch.poll(registry)).isEmpty();
    registry.pin(OptionalInt.of(3));
    assertThat(watch.poll(registry)).contains(3);
  }

  @Test
  void aFixedVersionIsNeverReplaced() throws Exception {
    VersionWatch<Integer> fixed = new VersionWatch<>(OptionalInt.of(2), this::load);
    publish(1);
    assertThat(fixed.poll(registry)).isEmpty();
    publish(2);
    publish(3);
    assertThat(fixed.poll(registry)).contains(2);
    assertThat(fixed.poll(registry)).isEmpty();
  }

  @Test
  void aRefusedVersionIsTriedAgainWhenItsDescriptionHasChanged() throws Exception {
    VersionWatch<Integer> some =
        new VersionWatch<>(
            OptionalInt.empty(),
            (from, version) -> {
              if (load(from, version) == 2 && version.round() == 2) {
                throw new InvalidDataException("damaged");
              }
              return version.number();
            });
    publish(1);
    assertThat(some.poll(registry)).contains(1);
    publish(2);
    assertThat(some.poll(registry)).isEmpty();
    assertThat(some.refusal()).contains("v2: damaged");
    assertThat(some.poll(registry)).isEmpty();
    assertThat(some.refusal()).isEmpty();
    assertThat(asked).containsExactly(1, 2);

    registry.remove(2);
    assertThat(some.poll(registry)).isEmpty();
    ModelVersion other = NumberedModels.version(5).with(2, Map.of());
    registry.publish(other, Map.of());
    assertThat(some.poll(registry)).contains(2);
  }

  /** No version serves after a restart. */
  @Test
  void beforeTheFirstOneAnEarlierVersionTakesThePlaceOfARefusedOne() throws Exception {
    VersionWatch<Integer> some =
        new VersionWatch<>(
            OptionalInt.empty(),
            (from, version) -> {
              if (load(from, version) > 2) {
                throw new InvalidDataException("damaged");
              }
              return version.number();
            });
    publish(1);
    publish(2);
    publish(3);
    publish(4);
    assertThat(some.poll(registry)).contains(2);
    assertThat(some.refusal()).contains("v4: damaged");
    assertThat(some.poll(registry)).isEmpty();
    assertThat(asked).containsExactly(4, 3, 2);
    registry.pin(OptionalInt.of(1));
    assertThat(some.poll(registry)).contains(1);
  }

  /** The registry was deleted, and another training has begun. */
  @Test
  void anotherModelWithTheSameNumberIsLoaded() throws Exception {
    publish(1);
    assertThat(watch.poll(registry)).contains(1);
    registry.remove(1);
    registry.publish(NumberedModels.version(5).with(1, Map.of()), Map.of());
    assertThat(watch.poll(registry)).contains(1);
    assertThat(watch.poll(registry)).isEmpty();
  }

  @Test
  void aDescriptionThatCannotBeReadIsRefusedOnce() throws Exception {
    publish(1);
    assertThat(watch.poll(registry)).contains(1);
    Path description = folder.resolve("v2.json");
    Files.writeString(description, "{\"format\": 99, \"braid\": \"9.0\"}");
    assertThat(watch.poll(registry)).isEmpty();
    assertThat(watch.refusal()).get().asString().startsWith("v2: ");
    assertThat(watch.poll(registry)).isEmpty();
    assertThat(watch.refusal()).isEmpty();
    Files.writeString(description, NumberedModels.version(2).toJson());
    assertThat(watch.poll(registry)).contains(2);
  }

  @Test
  void whatCannotBeReadNowIsTriedAgain() throws Exception {
    List<Exception> mistakes =
        new ArrayList<>(List.of(new IOException("away"), new IllegalStateException("client")));
    VersionWatch<Integer> some =
        new VersionWatch<>(
            OptionalInt.empty(),
            (from, version) -> {
              if (mistakes.isEmpty()) {
                return version.number();
              }
              Exception mistake = mistakes.remove(0);
              if (mistake instanceof IOException e) {
                throw e;
              }
              throw (RuntimeException) mistake;
            });
    publish(1);
    assertThatThrownBy(() -> some.poll(registry)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> some.poll(registry)).isInstanceOf(IOException.class);
    assertThat(some.poll(registry)).contains(1);
    assertThat(some.refusal()).isEmpty();
  }
}
