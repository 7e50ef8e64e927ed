package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Tests of data in text files that they write. */
abstract class DataInFolder {

  @TempDir Path folder;

  final DataLocation location(String name) {
    return DataLocation.of(folder.resolve(name).toString());
  }

  /** What is wrong is said in one line. */
  static void rejects(DataLocation location, String message) {
    assertThatThrownBy(location::check)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  final void write(String name, List<String> lines) throws IOException {
    Files.write(folder.resolve(name), lines);
  }
}
