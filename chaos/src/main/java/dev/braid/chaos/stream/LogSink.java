package dev.braid.chaos.stream;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines to a file and, where there is one, a topic. Losing a line is better than losing a
 * training: what cannot be written is said in the log, and the job goes on.
 *
 * <p>Flink's own KafkaSink would not do: it waits in the task's thread for a broker that is away,
 * and then fails the job. After a failure of the job, lines since the last checkpoint come again.
 */
public final class LogSink implements Sink<String> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(LogSink.class);

  private final String file;
  private final KafkaTopic topic;

  /**
   * A sink for one task.
   *
   * @param file a local path
   * @param topic that gets the lines, too
   */
  public LogSink(String file, Optional<KafkaTopic> topic) {
    this.file = file;
    // An Optional cannot be serialised.
    this.topic = topic.orElse(null);
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) {
    boolean goesOn =
        context.getTaskInfo().getAttemptNumber() > 0
            || context.getRestoredCheckpointId().isPresent();
    return new Writer(open(goesOn), Optional.ofNullable(topic).map(TopicPublisher::new));
  }

  private Optional<BufferedWriter> open(boolean goesOn) {
    Path path = Path.of(file);
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      return Optional.of(
          Files.newBufferedWriter(
              path,
              StandardCharsets.UTF_8,
              StandardOpenOption.CREATE,
              goesOn ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE));
    } catch (IOException e) {
      LOG.warn("{} cannot be written", file, e);
      return Optional.empty();
    }
  }

  private final class Writer implements SinkWriter<String> {

    private final Optional<TopicPublisher> publisher;
    private Optional<BufferedWriter> out;

    Writer(Optional<BufferedWriter> out, Optional<TopicPublisher> publisher) {
      this.out = out;
      this.publisher = publisher;
    }

    @Override
    public void write(String line, Context context) {
      publisher.ifPresent(to -> to.publish(line));
      if (out.isPresent()) {
        try {
          out.get().write(line);
          out.get().newLine();
          // A line is there at once: people watch the file.
          out.get().flush();
        } catch (IOException e) {
          LOG.warn("{} is written no further", file, e);
          out = Optional.empty();
        }
      }
    }

    @Override
    public void flush(boolean endOfInput) {
      // What is not in the topic yet may stay so: a checkpoint does not wait for a broker.
    }

    @Override
    public void close() throws IOException {
      publisher.ifPresent(TopicPublisher::close);
      if (out.isPresent()) {
        out.get().close();
      }
    }
  }
}
