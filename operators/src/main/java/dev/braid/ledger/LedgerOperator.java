package dev.braid.ledger;

import dev.braid.wire.DamagedStateException;
import dev.braid.worker.state.RecordState;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Keeps a {@link Page} for each key in keyed state, which outgrows memory on a data set without
 * end, and sums by epoch in operator state, which does not.
 */
public final class LedgerOperator extends AbstractStreamOperator<LedgerSummary>
    implements OneInputStreamOperator<PageUsage, LedgerSummary>, BoundedOneInput {

  private transient ValueState<Page> page;
  private transient RecordState<LedgerSummary> counted;
  private transient EpochCounts counts;

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    page =
        context
            .getKeyedStateStore()
            .getState(new ValueStateDescriptor<>("page", PageSerializer.INSTANCE));
    counted = RecordState.of(context.getOperatorStateStore(), "counts", LedgerSummary.class);
    counts = new EpochCounts();
    for (LedgerSummary part : counted.get()) {
      counts.add(part);
    }
  }

  @Override
  public void processElement(StreamRecord<PageUsage> element) throws Exception {
    PageUsage usage = element.getValue();
    Page current = page(usage.page());
    for (int i = 0; i < usage.size(); i++) {
      int epoch = usage.epochs()[i];
      boolean first = current.use(Byte.toUnsignedInt(usage.offsets()[i]), epoch, usage.rounds()[i]);
      counts.add(epoch, first);
    }
    page.update(current);
  }

  private Page page(int number) throws IOException {
    Page known = page.value();
    if (known != null && known.number() != number) {
      throw new DamagedStateException(
          PageSerializer.NAME, "it is page %d, where page %d was".formatted(known.number(), number));
    }
    return known == null ? new Page(number) : known;
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    counted.update(List.of(summary()));
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(summary()));
  }

  private LedgerSummary summary() {
    var task = getRuntimeContext().getTaskInfo();
    return counts.summary(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
  }
}
