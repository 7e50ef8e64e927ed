package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Batch;
import dev.braid.loop.GatedOperator;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.state.RecordState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Makes batches of a stream, for the worker that is chained after it. Records that no round has
 * consumed are in its state, so each record is used exactly once, even if the number of workers
 * changes.
 *
 * @param <T> type of the records
 */
final class FlowOperator<T> extends GatedOperator<T, Batch> {

  private static final long serialVersionUID = 1L;

  private static final long SHORTEST_TICK_MILLIS = 5;

  private final Encoder<T> encoder;
  private final FlowConfig flow;
  private final OutputTag<Tuple2<T, String>> refused;

  private transient RecordState<FlowBatch> batches;
  private transient RecordState<FlowPosition> positions;
  private transient FlowQueue<T> queue;
  private transient List<FlowPosition> gone;
  private transient Counter refusals;
  private transient boolean isServer;
  private transient boolean isClosed;

  FlowOperator(
      StreamOperatorParameters<Batch> parameters,
      Encoder<T> encoder,
      FlowConfig config,
      OutputTag<Tuple2<T, String>> refused) {
    super(parameters);
    this.encoder = encoder;
    this.flow = config;
    this.refused = refused;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    batches = RecordState.of(context.getOperatorStateStore(), "batches", FlowBatch.class);
    positions = RecordState.union(context.getOperatorStateStore(), "positions", FlowPosition.class);
    int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    int ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    List<FlowPosition> all = positions.get();
    isServer = subtask >= ranks - flow.servers();
    List<FlowBatch> restored = batches.get();
    if (isServer && !restored.isEmpty()) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "the checkpoint has records for rank %d, which is a server now: restore it with as "
                      .formatted(subtask)
                  + "many workers and servers as it was taken with"));
    }
    queue =
        new FlowQueue<>(
            encoder, flow, ranks - flow.servers() == 1, position(all, subtask), restored, now());
    gone =
        subtask > 0
            ? List.of()
            : all.stream()
                .filter(it -> it.partition() >= ranks)
                .map(it -> new FlowPosition(it.partition(), it.nextRecord(), FlowPosition.GONE))
                .toList();
  }

  /**
   * Returns the position of a subtask. In asynchronous exchanges, ranks are in different rounds,
   * and a new rank begins with the first of these.
   */
  private static FlowPosition position(List<FlowPosition> all, int subtask) {
    Optional<FlowPosition> own = all.stream().filter(it -> it.partition() == subtask).findFirst();
    long first =
        all.stream()
            .filter(it -> it.round() != FlowPosition.GONE)
            .mapToLong(FlowPosition::round)
            .min()
            .orElse(0);
    return new FlowPosition(
        subtask,
        own.map(FlowPosition::nextRecord).orElse(0L),
        own.map(FlowPosition::round).filter(round -> round != FlowPosition.GONE).orElse(first));
  }

  @Override
  public void open() throws Exception {
    super.open();
    refusals =
        getMetricGroup().addGroup(BraidMetric.GROUP).counter(BraidMetric.REFUSED_RECORDS.key());
    later(isServer ? this::exhausted : this::tick);
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void tick() {
    if (isClosed) {
      return;
    }
    queue.passed(now());
    mayEmit();
    long millis = Math.max(SHORTEST_TICK_MILLIS, flow.maxWaitMillis() / 4);
    var unused = getProcessingTimeService().registerTimer(now() + millis, time -> tick());
  }

  @Override
  public void processElement1(StreamRecord<T> element) throws Exception {
    Optional<String> reason = queue.add(element.getValue(), now());
    if (reason.isPresent()) {
      refusals.inc();
      output.collect(refused, new StreamRecord<>(Tuple2.of(element.getValue(), reason.get())));
    }
    mayEmit();
    waitWhile(queue::isFull);
  }

  @Override
  protected void mayEmit() {
    if (isServer) {
      return;
    }
    Optional<FlowBatch> next = queue.peek(endRound());
    while (next.isPresent() && tryTake(queue.epoch())) {
      output.collect(new StreamRecord<>(queue.take(next.get(), now())));
      next = queue.peek(endRound());
    }
    if (queue.isOver(endRound())) {
      exhausted();
    }
  }

  @Override
  protected void consumed() {
    queue.consumed();
  }

  @Override
  protected void end() {
    queue.close();
    mayEmit();
  }

  @Override
  protected long countRounds() {
    return queue.countRounds();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<FlowPosition> told = new ArrayList<>(gone);
    if (!isServer) {
      told.add(queue.position());
    }
    positions.update(told);
    batches.update(queue.batches());
  }

  @Override
  public void close() throws Exception {
    isClosed = true;
    super.close();
  }
}
