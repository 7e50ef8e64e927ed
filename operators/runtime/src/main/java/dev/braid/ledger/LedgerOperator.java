package dev.braid.ledger;

import dev.braid.wire.DamagedStateException;
import dev.braid.worker.state.RecordState;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * Keeps a {@link Page} for each key in keyed state, which may exceed the memory for a very large
 * data set, and sums by epoch in operator state, which is small.
 */
public final class LedgerOperator extends AbstractStreamOperator<LedgerSummary>
    implements OneInputStreamOperator<PageUsage, LedgerSummary>, BoundedOneInput {

  private static final Pattern ROCKSDB_DAMAGE =
      Pattern.compile("RocksDBException: .*(checksum mismatch|[Cc]orrupt)");

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
    Page known;
    try {
      known = page.value();
    } catch (IOException | FlinkRuntimeException e) {
      // RocksDB verifies the checksum of a block only when it reads the block.
      if (ROCKSDB_DAMAGE.matcher(ExceptionUtils.stringifyException(e)).find()) {
        throw new DamagedStateException(PageSerializer.NAME, e.getCause());
      }
      throw e;
    }
    if (known == null) {
      return new Page(number);
    }
    PageSerializer.checkNumber(known, number);
    return known;
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
