package dev.braid.connectors.source;

import dev.braid.learner.Batch;
import dev.braid.loop.SourceGate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A worker that uses up each batch when the next one arrives, and records the used samples in its
 * state. After a number of batches it grants no more credits until the test allows it.
 */
final class CollectingWorker extends AbstractStreamOperator<Integer>
    implements OneInputStreamOperator<Batch, Integer> {

  private static final Map<String, Run> RUNS = new ConcurrentHashMap<>();
  private static final int CREDITS = 3;

  /** State that a test shares with its workers, by the run's name. */
  static final class Run implements AutoCloseable {
    final String name;

    /** Number of times that worker 1 fails when a checkpoint completes while it waits. */
    final AtomicInteger failuresAtCheckpoint = new AtomicInteger();

    /** Number of times that worker 1 fails at its third batch. */
    final AtomicInteger failuresAtBatch = new AtomicInteger();

    final AtomicInteger opened = new AtomicInteger();
    final CountDownLatch held;
    private final Map<Integer, List<int[]>> used = new ConcurrentHashMap<>();
    private final Map<String, List<int[]>> batches = new ConcurrentHashMap<>();
    private final boolean untilCheckpoint;
    private final int hold;

    /**
     * @param hold number of batches that worker 0 takes before it waits; worker i takes i more
     * @param untilCheckpoint whether a checkpoint ends the waiting, or nothing does
     */
    Run(String name, int workers, int hold, boolean untilCheckpoint) {
      this.name = name;
      this.held = new CountDownLatch(workers);
      this.hold = hold;
      this.untilCheckpoint = untilCheckpoint;
      RUNS.put(name, this);
    }

    /** Returns the samples that all workers have used, as (epoch, id) pairs. */
    List<int[]> used() {
      return used.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the ids of the batches that each worker has used since its last start or restore. */
    Map<String, List<int[]>> batches() {
      return batches;
    }

    @Override
    public void close() {
      RUNS.remove(name);
    }
  }

  private final String runName;
  private transient Run run;
  private transient SourceGate gate;
  private transient Queue<Batch> queue;
  private transient List<int[]> used;
  private transient List<int[]> batches;
  private transient ListState<int[]> state;
  private transient int taken;
  private transient boolean holding;
  private transient int missing;
  private transient int index;

  CollectingWorker(String runName) {
    this.runName = runName;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "used", PrimitiveArrayTypeInfo.INT_PRIMITIVE_ARRAY_TYPE_INFO));
    used = new ArrayList<>();
    for (int[] pair : state.get()) {
      used.add(pair);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    run = RUNS.get(runName);
    run.opened.incrementAndGet();
    index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    queue = new ArrayDeque<>();
    batches = new ArrayList<>();
    run.batches.put("worker " + index, batches);
    String attempt =
        getRuntimeContext().getMetricGroup().getAllVariables().get("<task_attempt_id>");
    gate = SourceGate.open(attempt);
    gate.onExhausted(this::exhausted);
    holding = run.hold > 0 && run.held.getCount() > 0;
    gate.grant(CREDITS);
  }

  @Override
  public void processElement(StreamRecord<Batch> element) {
    queue.add(element.getValue());
    if (queue.size() == CREDITS - 1) {
      use();
      taken++;
      if (index == 1 && taken == 3 && run.failuresAtBatch.getAndDecrement() > 0) {
        throw new IllegalStateException("injected");
      }
      if (holding && taken >= run.hold + index) {
        missing++;
        if (missing == 1) {
          run.held.countDown();
        }
      } else {
        gate.grant(1);
      }
    }
  }

  private void use() {
    Batch batch = queue.remove();
    float[] features = batch.features().toArray();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.labels()[i] != batch.ids()[i] % 3 || features[2 * i] != batch.ids()[i]) {
        throw new IllegalStateException("sample " + batch.ids()[i] + " has another's content");
      }
      used.add(new int[] {batch.epoch(), batch.ids()[i]});
    }
    batches.add(batch.ids());
    gate.consumed();
    output.collect(new StreamRecord<>(batch.size()));
  }

  private void exhausted() {
    while (!queue.isEmpty()) {
      use();
    }
    run.used.put(index, used);
    gate.finish();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.update(used);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    if (!holding || !run.untilCheckpoint || run.held.getCount() > 0) {
      return;
    }
    if (index == 1 && run.failuresAtCheckpoint.getAndDecrement() > 0) {
      throw new IllegalStateException("injected");
    }
    holding = false;
    gate.grant(missing);
  }

  @Override
  public void close() throws Exception {
    if (gate != null) {
      gate.close();
    }
    super.close();
  }

  static Map<Integer, List<Integer>> idsByEpoch(List<int[]> used) {
    Map<Integer, List<Integer>> ids = new HashMap<>();
    for (int[] pair : used) {
      ids.computeIfAbsent(pair[0], epoch -> new ArrayList<>()).add(pair[1]);
    }
    return ids;
  }
}
