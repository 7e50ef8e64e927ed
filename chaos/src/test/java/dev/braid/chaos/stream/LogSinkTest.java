package dev.braid.chaos.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSinkTest {

  @TempDir Path folder;

  @Test
  void aFloodDoesNotFillTheDisk() throws Exception {
    Path file = folder.resolve("log.jsonl");
    SinkWriter<String> writer =
        new LogSink(file.toString(), Optional.empty(), 100).createWriter(context());
    for (int i = 0; i < 1_000; i++) {
      writer.write("line " + (100 + i), null);
    }
    writer.close();
    assertThat(Files.readAllLines(file)).hasSize(11).first().isEqualTo("line 100");
    assertThat(Files.size(file)).isLessThanOrEqualTo(100);
  }

  /** Nothing can be appended to a file, and renaming to an existing name fails. */
  @Test
  void linesAreInAFileOfAnotherFileSystemWhileTheyCome() throws Exception {
    Path file = folder.resolve("a folder/log.jsonl");
    SinkWriter<String> writer =
        new LogSink(RemoteDisk.uri(file), Optional.empty()).createWriter(context());
    writer.write("one", null);
    awaitLines(file, "one");
    writer.write("two", null);
    awaitLines(file, "one", "two");
    for (int i = 0; i < 3_000; i++) {
      writer.write("more", null);
    }
    writer.close();
    assertThat(Files.readAllLines(file)).hasSize(3_002);
    assertThat(file.getParent()).isDirectoryNotContaining("glob:**.part");

    SinkWriter<String> goingOn =
        new LogSink(RemoteDisk.uri(file), Optional.empty()).createWriter(context(1));
    goingOn.write("last", null);
    goingOn.close();
    assertThat(Files.readAllLines(file)).hasSize(3_003).endsWith("more", "last");

    SinkWriter<String> again =
        new LogSink(RemoteDisk.uri(file), Optional.empty(), 10).createWriter(context());
    again.write("12345", null);
    again.write("1234567", null);
    again.close();
    assertThat(Files.readAllLines(file)).containsExactly("12345");
  }

  private static void awaitLines(Path file, String... lines) {
    await("lines in " + file)
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> lines(file).equals(List.of(lines)));
  }

  /**
   * Returns the lines of a file; empty while the file is being replaced, which takes two steps
   * here.
   */
  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static WriterInitContext context() {
    return context(0);
  }

  /**
   * Returns a context with everything that the sink needs.
   *
   * @param attempt number of failures of the task
   */
  private static WriterInitContext context(int attempt) {
    return (WriterInitContext)
        Proxy.newProxyInstance(
            WriterInitContext.class.getClassLoader(),
            new Class<?>[] {WriterInitContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTaskInfo" -> new TaskInfoImpl("log", 1, 0, 1, attempt);
                  case "getRestoredCheckpointId" -> OptionalLong.empty();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
