package dev.braid.chaos.stream;

import dev.braid.loop.LoopEnd;
import dev.braid.wire.SealedSerializer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * An endless source that ends with the training, when its records have no reader any more.
 * Otherwise, a job whose other sources have ended would run forever. {@link LoopEnd} signals the
 * end. The source's state ends with a checksum.
 */
final class UntilLoopEnds<T, SplitT extends SourceSplit, StateT>
    implements Source<T, SplitT, StateT> {

  private static final long serialVersionUID = 1L;
  private static final String JOB_ID_VARIABLE = "<job_id>";

  private final Source<T, SplitT, StateT> endless;

  UntilLoopEnds(Source<T, SplitT, StateT> endless) {
    this.endless = endless;
  }

  @Override
  public Boundedness getBoundedness() {
    return endless.getBoundedness();
  }

  @Override
  public SourceReader<T, SplitT> createReader(SourceReaderContext context) throws Exception {
    String job = context.metricGroup().getAllVariables().get(JOB_ID_VARIABLE);
    return new Reader<>(endless.createReader(context), LoopEnd.join(job));
  }

  @Override
  public SplitEnumerator<SplitT, StateT> createEnumerator(SplitEnumeratorContext<SplitT> context)
      throws Exception {
    return endless.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<SplitT, StateT> restoreEnumerator(
      SplitEnumeratorContext<SplitT> context, StateT checkpoint) throws Exception {
    return endless.restoreEnumerator(context, checkpoint);
  }

  @Override
  public SimpleVersionedSerializer<SplitT> getSplitSerializer() {
    return new SealedSerializer<>("a reader of chaos events", endless.getSplitSerializer());
  }

  @Override
  public SimpleVersionedSerializer<StateT> getEnumeratorCheckpointSerializer() {
    return new SealedSerializer<>(
        "the source of chaos events", endless.getEnumeratorCheckpointSerializer());
  }

  // Flink lets the close method of any reader throw anything.
  @SuppressWarnings("try")
  private record Reader<T, SplitT extends SourceSplit>(
      SourceReader<T, SplitT> endless, LoopEnd loop) implements SourceReader<T, SplitT> {

    @Override
    public void start() {
      endless.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
      return loop.reached().isDone() ? InputStatus.END_OF_INPUT : endless.pollNext(output);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.anyOf(endless.isAvailable(), loop.reached())
          .thenAccept(available -> {});
    }

    @Override
    public List<SplitT> snapshotState(long checkpoint) {
      return endless.snapshotState(checkpoint);
    }

    @Override
    public void addSplits(List<SplitT> splits) {
      endless.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
      endless.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
      endless.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
      endless.notifyCheckpointComplete(checkpoint);
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
      endless.notifyCheckpointAborted(checkpoint);
    }

    @Override
    public void close() throws Exception {
      loop.close();
      endless.close();
    }
  }
}
