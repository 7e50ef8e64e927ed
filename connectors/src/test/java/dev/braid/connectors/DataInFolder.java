package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Base class for tests of data in text files, which the tests write. */
public abstract class DataInFolder {

  @TempDir protected Path folder;

  protected final DataLocation location(String name) {
    return DataLocation.of(folder.resolve(name).toString());
  }

  /** Asserts that data is rejected with a message of one line. */
  protected static void rejects(DataLocation location, String message) {
    assertThatThrownBy(location::check)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  protected final void write(String name, List<String> lines) throws IOException {
    Files.write(folder.resolve(name), lines);
  }
}
