package dev.braid.ledger;

import dev.braid.worker.report.Reports.OffsetUse;
import dev.braid.worker.state.RecordState;
import java.util.List;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Records the used offsets of a stream, in one task, because a round has only one record per
 * worker.
 */
public final class OffsetLedgerOperator extends AbstractStreamOperator<LedgerSummary>
    implements OneInputStreamOperator<OffsetUse, LedgerSummary>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private transient RecordState<UsedOffsets> state;
  private transient OffsetSets sets;

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = RecordState.of(context.getOperatorStateStore(), "offsets", UsedOffsets.class);
    sets = new OffsetSets();
    for (UsedOffsets part : state.get()) {
      sets.add(part);
    }
  }

  @Override
  public void processElement(StreamRecord<OffsetUse> element) {
    sets.add(element.getValue());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.update(List.of(sets.summary()));
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(LedgerSummary.of(sets.summary())));
  }
}
