package dev.braid.chaos.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests logs on disks that are full or do not respond. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LineQueueTest {

  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir private Path folder;

  @Test
  void linesAreThereAtOnce_andAllOfThemAtTheEnd() throws Exception {
    Path file = folder.resolve("a folder/log");
    try (LineQueue queue = new LineQueue("log", new LineFile(file, false, 1_000_000), NEVER)) {
      queue.add("first");
      awaitLines(file, List.of("first"));
      queue.add("second");
    }
    assertThat(file).hasContent("first\nsecond\n");
    try (LineQueue queue = new LineQueue("log", new LineFile(file, true, 1_000_000), NEVER)) {
      queue.add("third");
    }
    assertThat(file).hasContent("first\nsecond\nthird\n");
    try (LineQueue queue = new LineQueue("log", new LineFile(file, false, 1_000_000), NEVER)) {
      queue.add("again");
    }
    assertThat(file).hasContent("again\n");
    new LineQueue("log", new LineFile(file, false, 1_000_000), NEVER).close();
    assertThat(file).as("of a run without a line").isEmptyFile();
  }

  /** A pipe without a reader is a disk that does not respond. */
  @Test
  void whoAddsALineDoesNotWaitForTheDisk() throws Exception {
    Path pipe = folder.resolve("log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    int lines = LineQueue.QUEUED_LINES + 1_000;
    try (LineQueue queue = new LineQueue("log", new LineFile(pipe, true, 1_000_000), NEVER)) {
      IntStream.range(0, lines).forEach(line -> queue.add("line " + line));
      // The queue's thread may have taken some lines already.
      assertThat(queue.dropped()).isBetween(1L, 1_000L);
      try (BufferedReader reader = Files.newBufferedReader(pipe)) {
        for (int line = 0; line < lines - queue.dropped(); line++) {
          assertThat(reader.readLine()).isEqualTo("line " + line);
        }
      }
    }
  }

  @Test
  void closingDoesNotWaitForEverForTheDisk() throws Exception {
    Path pipe = folder.resolve("log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    LineQueue queue =
        new LineQueue("log", new LineFile(pipe, true, 1_000_000), Duration.ofMillis(1));
    queue.add("line");
    queue.close();
    // Releases the queue's thread.
    Files.newInputStream(pipe).close();
  }

  /** {@code /dev/full} accepts opening, but no bytes. */
  @Test
  void whatADiskThatIsFullDidNotTakeIsWrittenWhenThereIsRoom() throws Exception {
    Path log = folder.resolve("log");
    Files.createSymbolicLink(log, Path.of("/dev/full"));
    try (LineQueue queue = new LineQueue("log", new LineFile(log, false, 1_000_000), NEVER)) {
      queue.add("first");
      queue.add("second");
      Files.delete(log);
      awaitLines(log, List.of("first", "second"));
    }
  }

  private static void awaitLines(Path file, List<String> lines) {
    await("lines in " + file)
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> lines.equals(lines(file)));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
