package dev.braid.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderRegistryTest extends RegistryContract {

  @TempDir private Path folder;

  @Override
  String place() {
    return folder.resolve("models").toString();
  }

  @Override
  Map<String, String> kafka() {
    return Map.of();
  }

  @Override
  ModelRegistry dyingAfter(int writes) throws IOException {
    return RegistryPlace.folder(DyingDisk.uri(place(), writes)).open();
  }

  @Override
  void put(Map<String, String> texts) throws IOException {
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String name = text.getKey().equals("pinned") ? "pinned" : text.getKey() + ".json";
      Files.writeString(Path.of(place(), name), text.getValue());
    }
  }

  @Override
  void damage(ModelVersion version, String name) throws IOException {
    Path file = Path.of(place(), version.name(), name);
    byte[] content = Files.readAllBytes(file);
    content[7]++;
    Files.write(file, content);
  }

  @Test
  void aFileThatIsMissing_shorterOrLongerIsRefused() throws Exception {
    Map<String, byte[]> contents = contents(1, 100);
    ModelVersion version = version(1, contents);
    registry().publish(version, contents);
    Path file = Path.of(place(), "v1", ModelVersion.MODEL);
    for (int bytes : new int[] {0, 99, 101, 1_000_000}) {
      Files.write(file, new byte[bytes]);
      assertThatThrownBy(() -> registry().file(version, ModelVersion.MODEL))
          .isInstanceOf(InvalidDataException.class);
    }
    Files.delete(file);
    assertThatThrownBy(() -> registry().file(version, ModelVersion.MODEL))
        .isInstanceOf(InvalidDataException.class);
  }

  /** Another job that publishes the same model at the same time writes the same files. */
  @Test
  void aFileThatIsThereAlreadyIsNotWrittenAgain() throws Exception {
    Map<String, byte[]> contents = contents(1, 100);
    registry().publish(version(1, contents), contents);
    Path description = Path.of(place(), "v1.json");
    Files.delete(description);
    Object before = Files.readAttributes(Path.of(place(), "v1", "model.zip"), "unix:ino");
    registry().publish(version(1, contents), contents);
    assertThat(description).exists();
    assertThat((Object) Files.readAttributes(Path.of(place(), "v1", "model.zip"), "unix:ino"))
        .isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kafka:", "kafka:a b", "kafka:../x", "a b://c"})
  void aPlaceThatIsNoneIsRefused(String none) {
    assertThatThrownBy(() -> RegistryPlace.folder(none).open())
        .isInstanceOf(InvalidDataException.class);
  }

  @Test
  void aPlaceThatIsAFileIsRefused() throws Exception {
    Files.writeString(Path.of(place()), "x");
    assertThatThrownBy(() -> registry().numbers()).isInstanceOf(IOException.class);
  }
}
