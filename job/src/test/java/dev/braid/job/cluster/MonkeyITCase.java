package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random actions against a cluster of processes that trains and scores. */
@Tag("long")
class MonkeyITCase {

  /** Minutes of actions; with 0, the test is skipped. */
  private static final int MINUTES = Integer.getInteger("braid.monkey.minutes", 10);

  /** Start, end and checks on a busy machine. */
  private static final int MOST_MINUTES = MINUTES + 50;

  private static final int SECONDS_TO_END = 60;

  @TempDir private Path folder;

  @Test
  void randomActions_doNotChangeResults() throws Exception {
    assumeTrue(MINUTES > 0, "braid.monkey.minutes is 0");
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "python3"))),
        "bench/monkey needs python3, which is not in the PATH");
    Path log = folder.resolve("monkey.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of("..", "bench", "monkey").toAbsolutePath().toString(),
                String.valueOf(MINUTES),
                "--seed",
                "1")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES))
          .as(() -> "bench/monkey has not ended: " + read(log))
          .isTrue();
      assertThat(process.exitValue()).as(() -> read(log)).isZero();
    } finally {
      // The script ends its cluster and its broker before it ends.
      process.destroy();
      process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
