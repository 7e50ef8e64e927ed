package dev.braid.chaos.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.Path;

/**
 * Writes lines to a file and optionally to a topic. Losing a line is better than losing a training:
 * neither the task nor a checkpoint waits for a disk or a broker, and failures are logged.
 *
 * <p>For each start of the task, a file gets at most {@value #MAX_FILE_BYTES} bytes, or {@value
 * #MAX_REMOTE_BYTES} if it cannot be appended to, so that a flood of events cannot fill the disk
 * with reports about them.
 *
 * <p>Flink's own sinks are not suitable: they wait in the task's thread for a target that is
 * unavailable, and then fail the job. After a failure of the job, lines since the last checkpoint
 * are written again.
 */
public final class LogSink implements Sink<String> {

  private static final long serialVersionUID = 1L;

  static final long MAX_FILE_BYTES = 1L << 30;

  /** Limit of a remote file, in bytes; all of the file is in memory. */
  static final long MAX_REMOTE_BYTES = 16L << 20;

  private final String file;
  private final KafkaTopic topic;
  private final long maxFileBytes;

  /**
   * Creates a sink for one task.
   *
   * @param file a local path, or a URI of a file system that Flink supports
   * @param topic topic that gets the lines, too
   */
  public LogSink(String file, Optional<KafkaTopic> topic) {
    this(file, topic, MAX_FILE_BYTES);
  }

  LogSink(String file, Optional<KafkaTopic> topic, long maxFileBytes) {
    this.file = file;
    // An Optional cannot be serialised.
    this.topic = topic.orElse(null);
    this.maxFileBytes = maxFileBytes;
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
    boolean goesOn =
        context.getTaskInfo().getAttemptNumber() > 0
            || context.getRestoredCheckpointId().isPresent();
    List<LineQueue> queues = new ArrayList<>();
    queues.add(new LineQueue(file, target(goesOn)));
    if (topic != null) {
      queues.add(new LineQueue(topic.name(), new TopicPublisher(topic)));
    }
    return new Writer(queues);
  }

  private LineQueue.Target target(boolean goesOn) throws IOException {
    Path path = new Path(file);
    boolean isRemote = path.toUri().getScheme() != null && path.getFileSystem().isDistributedFS();
    return isRemote
        ? new RemoteLineFile(path, goesOn, Math.min(maxFileBytes, MAX_REMOTE_BYTES))
        : new LineFile(java.nio.file.Path.of(path.toUri().getPath()), goesOn, maxFileBytes);
  }

  private record Writer(List<LineQueue> queues) implements SinkWriter<String> {

    @Override
    public void write(String line, Context context) {
      queues.forEach(queue -> queue.add(line));
    }

    @Override
    public void flush(boolean endOfInput) {
      // Unwritten lines may stay unwritten: a checkpoint does not wait for them.
    }

    @Override
    public void close() {
      queues.forEach(LineQueue::close);
    }
  }
}
