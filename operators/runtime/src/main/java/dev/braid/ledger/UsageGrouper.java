package dev.braid.ledger;

import dev.braid.worker.report.Reports.Usage;
import java.util.Arrays;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Collects the samples that a worker used until there are many for each page of the ledger. A batch
 * is drawn from the whole data set, so that nearly every one of its samples is on a different page.
 *
 * <p>No uses are held back across a checkpoint: all that have been collected are emitted before its
 * barrier. This operator therefore has no state.
 */
public final class UsageGrouper extends AbstractStreamOperator<PageUsage>
    implements OneInputStreamOperator<Usage, PageUsage>, BoundedOneInput {

  /** Highest number of uses that are collected. */
  static final int CAPACITY = 1 << 14;

  // A key has the sample's id in the upper bits and the position of the use in the lower ones.
  // Sorting the keys groups the uses of a page, and keeps their order.
  private transient long[] keys;
  private transient int[] epochs;
  private transient long[] rounds;
  private transient int size;

  @Override
  public void open() throws Exception {
    super.open();
    keys = new long[CAPACITY];
    epochs = new int[CAPACITY];
    rounds = new long[CAPACITY];
  }

  @Override
  public void processElement(StreamRecord<Usage> element) {
    Usage usage = element.getValue();
    for (int id : usage.sampleIds()) {
      if (size == CAPACITY) {
        emit();
      }
      keys[size] = (long) id << Integer.SIZE | size;
      epochs[size] = usage.epoch();
      rounds[size] = usage.round();
      size++;
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    emit();
  }

  @Override
  public void endInput() {
    emit();
  }

  private void emit() {
    Arrays.sort(keys, 0, size);
    int from = 0;
    while (from < size) {
      int page = pageAt(from);
      int to = from + 1;
      while (to < size && pageAt(to) == page) {
        to++;
      }
      output.collect(new StreamRecord<>(pageUsage(page, from, to)));
      from = to;
    }
    size = 0;
  }

  private PageUsage pageUsage(int page, int from, int to) {
    byte[] offsets = new byte[to - from];
    int[] usedEpochs = new int[to - from];
    long[] usedRounds = new long[to - from];
    for (int i = from; i < to; i++) {
      int place = (int) keys[i];
      offsets[i - from] = (byte) (idAt(i) % Page.SAMPLES);
      usedEpochs[i - from] = epochs[place];
      usedRounds[i - from] = rounds[place];
    }
    return new PageUsage(page, offsets, usedEpochs, usedRounds);
  }

  private int pageAt(int i) {
    return idAt(i) / Page.SAMPLES;
  }

  private int idAt(int i) {
    return (int) (keys[i] >>> Integer.SIZE);
  }
}
