package dev.braid.loop;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A source without elements, which ends with the loop of its job. A task that has it as an input
 * runs until then, even if its other inputs end earlier.
 */
public final class EndSource implements Source<Integer, EndSource.NoSplit, Integer> {

  private static final long serialVersionUID = 1L;

  private static final String JOB_ID_VARIABLE = "<job_id>";
  private static final int STATELESS = 0;

  /** A placeholder for a split: there is nothing to read. */
  record NoSplit() implements SourceSplit {

    @Override
    public String splitId() {
      return "none";
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<Integer, NoSplit> createReader(SourceReaderContext context) {
    String job = context.metricGroup().getAllVariables().get(JOB_ID_VARIABLE);
    return new Reader(LoopEnd.join(job));
  }

  @Override
  public SplitEnumerator<NoSplit, Integer> createEnumerator(
      SplitEnumeratorContext<NoSplit> context) {
    return new Enumerator();
  }

  @Override
  public SplitEnumerator<NoSplit, Integer> restoreEnumerator(
      SplitEnumeratorContext<NoSplit> context, Integer checkpoint) {
    return new Enumerator();
  }

  @Override
  public SimpleVersionedSerializer<NoSplit> getSplitSerializer() {
    return new Nothing<>(new NoSplit());
  }

  @Override
  public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() {
    return new Nothing<>(STATELESS);
  }

  /** A serializer of a constant value, which takes no bytes. */
  private record Nothing<T>(T value) implements SimpleVersionedSerializer<T> {

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(T always) {
      return new byte[0];
    }

    @Override
    public T deserialize(int version, byte[] serialized) {
      return value;
    }
  }

  private record Enumerator() implements SplitEnumerator<NoSplit, Integer> {

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int reader, @Nullable String hostname) {}

    @Override
    public void addSplitsBack(List<NoSplit> splits, int reader) {}

    @Override
    public void addReader(int reader) {}

    @Override
    public Integer snapshotState(long checkpoint) {
      return STATELESS;
    }

    @Override
    public void close() {}
  }

  // Flink allows a reader to throw any exception from close.
  @SuppressWarnings("try")
  private record Reader(LoopEnd loop) implements SourceReader<Integer, NoSplit> {

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<Integer> output) {
      return loop.reached().isDone() ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return loop.reached();
    }

    @Override
    public List<NoSplit> snapshotState(long checkpoint) {
      return List.of();
    }

    @Override
    public void addSplits(List<NoSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
      loop.close();
    }
  }
}
