package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code EmbeddedRunITCase} tests with real processes that a second process is refused. */
class OutLockTest {

  @TempDir private Path folder;

  @Test
  void nothingIsLeftOfIt_andItCanBeTakenAgain() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (OutLock lock = OutLock.take(folder)) {
        assertThat(lock.folder()).isEqualTo(folder);
        assertThat(folder).isNotEmptyDirectory();
      }
      assertThat(folder).isEmptyDirectory();
    }
  }
}
