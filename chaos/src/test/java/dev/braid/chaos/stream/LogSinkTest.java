package dev.braid.chaos.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** All that the sink asks. */
  private static WriterInitContext context() {
    return (WriterInitContext)
        Proxy.newProxyInstance(
            WriterInitContext.class.getClassLoader(),
            new Class<?>[] {WriterInitContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTaskInfo" -> new TaskInfoImpl("log", 1, 0, 1, 0);
                  case "getRestoredCheckpointId" -> OptionalLong.empty();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
