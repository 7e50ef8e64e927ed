package dev.braid.connectors.source;

import dev.braid.learner.Batch;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** Collects the batches that a reader emits. */
public final class CollectedBatches implements ReaderOutput<Batch> {
  private final List<Batch> batches = new ArrayList<>();

  /** Returns the emitted batches, in order. */
  public List<Batch> batches() {
    return batches;
  }

  @Override
  public void collect(Batch batch) {
    batches.add(batch);
  }

  @Override
  public void collect(Batch batch, long timestamp) {
    batches.add(batch);
  }

  @Override
  public void emitWatermark(Watermark watermark) {}

  @Override
  public void markIdle() {}

  @Override
  public void markActive() {}

  @Override
  public SourceOutput<Batch> createOutputForSplit(String splitId) {
    return this;
  }

  @Override
  public void releaseOutputForSplit(String splitId) {}
}
