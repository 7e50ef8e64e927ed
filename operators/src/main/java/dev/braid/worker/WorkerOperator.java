package dev.braid.worker;

import dev.braid.exchange.Elastic;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.View;
import dev.braid.learner.Batch;
import dev.braid.learner.Updater;
import dev.braid.loop.Envelope;
import dev.braid.loop.LoopOperator;
import dev.braid.vector.Range;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * The worker: hosts a {@link Trainer} in a Flink task. It takes batches from the source that is
 * chained in front of it, computes on a thread of its own, and keeps the model in operator state.
 */
public final class WorkerOperator extends LoopOperator<Batch> {

  private static final long serialVersionUID = 1L;

  private final WorkerConfig workerConfig;

  private transient ListState<byte[]> partsState;
  private transient Optional<Replica> restored;
  private transient ComputeThread computeThread;
  private transient WorkerHost host;
  private transient Trainer trainer;
  private transient int rank;
  private transient int ranks;
  private transient int workers;

  WorkerOperator(StreamOperatorParameters<Envelope> parameters, WorkerConfig workerConfig) {
    super(parameters);
    this.workerConfig = workerConfig;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    workers = ranks - workerConfig.options().servers().dedicated();
    // A union: every rank reads every part, and puts the whole vectors together.
    partsState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(SavedModel.STATE, BytePrimitiveArraySerializer.INSTANCE));
    restored = context.isRestored() ? restore() : Optional.empty();
  }

  private Optional<Replica> restore() throws Exception {
    List<ReplicaPart> parts = new ArrayList<>();
    for (byte[] bytes : partsState.get()) {
      parts.add(ReplicaPart.fromBytes(bytes));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(Replica.of(parts, rank, ranks, workers));
  }

  @Override
  public void open() throws Exception {
    super.open();
    computeThread =
        new ComputeThread("braid-compute-" + rank, mailbox(), workerConfig.model()::learner);
    Model model = model();
    host =
        new WorkerHost(
            new WorkerHost.Place(rank, workers),
            this,
            sourceGate(),
            getProcessingTimeService(),
            new WorkerHost.Reporter() {
              @Override
              public <T> void report(OutputTag<T> tag, T report) {
                output.collect(tag, new StreamRecord<>(report));
              }
            },
            computeThread,
            workerConfig.testSet().open(),
            new WorkerMetrics(getRuntimeContext().getMetricGroup(), ranks),
            restored.map(Replica::sums).orElse(EpochSums.NONE));
    ExchangeConfig exchangeConfig =
        new ExchangeConfig(
            rank,
            ranks,
            model.weights().length,
            workerConfig.chunkLength(),
            restored.map(Replica::completedRounds).orElse(0L),
            workerConfig.options());
    OptionalInt openEpoch = restored.map(Replica::openEpoch).orElse(OptionalInt.empty());
    trainer =
        new Trainer(
            host,
            workerConfig.exchange(),
            exchangeConfig,
            model,
            workerConfig.targetAccuracy().isPresent(),
            openEpoch,
            restored.map(Replica::endedEpochs).orElse(0));
    restoreExchange();
    host.start(trainer);
    startMember(trainer);
    sourceGate().onExhausted(trainer::exhausted);
    sourceGate().grant(WorkerConfig.PREFETCHED_BATCHES);
    mailbox().execute(trainer::begin, "begin");
  }

  private Model model() throws Exception {
    Updater updater = workerConfig.model().updater();
    if (restored.isEmpty()) {
      float[] weights = computeThread.initialWeights();
      float[][] state = workerConfig.model().initialUpdaterState(weights.length);
      return new Model(updater, weights, state, workerConfig.model().initialSteps());
    }
    float[][] vectors = restored.get().vectors();
    if (vectors[0].length != computeThread.length()
        || vectors.length != 1 + updater.stateVectors()) {
      // It would be the same again after a restart.
      throw new SuppressRestartsException(
          new IOException(
              String.format(
                  "the checkpoint's model has %d parameters and %d updater vectors; this run's has"
                      + " %d and %d: give the --model, the --updater and the --data that it was"
                      + " saved with",
                  vectors[0].length,
                  vectors.length - 1,
                  computeThread.length(),
                  updater.stateVectors())));
    }
    float[][] state = Arrays.copyOfRange(vectors, 1, vectors.length);
    return new Model(updater, vectors[0], state, restored.get().steps());
  }

  private void restoreExchange() throws IOException {
    byte[] state = restored.map(Replica::exchangeState).orElse(new byte[0]);
    if (state.length > 0) {
      trainer.exchange().readState(new DataInputStream(new ByteArrayInputStream(state)));
    }
    // The whole vectors are in the model now.
    restored = Optional.empty();
  }

  @Override
  protected void slowDown(double slowdown) {
    host.slowDown(slowdown);
  }

  @Override
  public void processElement(StreamRecord<Batch> element) {
    trainer.batch(element.getValue());
    roundsAdvanced();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    super.prepareSnapshotPreBarrier(checkpoint);
    // What the ledger gets to know must go before the barrier. Where the loop is not held, nothing
    // of this checkpoint counts.
    if (isHeldFor(checkpoint)) {
      trainer.position().settle();
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    partsState.update(List.of(part().toBytes()));
  }

  private ReplicaPart part() throws IOException {
    Model replica = trainer.replicaToSave();
    float[][] vectors = replica.vectors();
    Range whole = Range.ofLength(vectors[0].length);
    Range share = trainer.exchange().replicasAgree() ? share(whole) : whole;
    Range range = trainer.exchange().served().orElse(share);
    float[][] parts = new float[vectors.length][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Arrays.copyOfRange(vectors[i], range.start(), range.end());
    }
    ByteArrayOutputStream exchangeState = new ByteArrayOutputStream();
    trainer.exchange().writeState(new DataOutputStream(exchangeState));
    return new ReplicaPart(
        rank,
        ranks,
        workers,
        isQuiet(),
        trainer.membership().isCurrent(),
        trainer.position().rounds(),
        replica.steps(),
        trainer.position().openEpoch(),
        trainer.position().endedEpochs(),
        vectors[0].length,
        range,
        parts,
        host.sums(),
        exchangeState.toByteArray());
  }

  /** Of what all members of the view have alike. */
  private Range share(Range whole) {
    Optional<View> view = trainer.exchange().elastic().map(Elastic::view);
    if (view.isEmpty()) {
      return whole.part(rank, ranks);
    }
    boolean isIn = view.get().contains(rank);
    return isIn ? whole.part(view.get().position(rank), view.get().size()) : Range.EMPTY;
  }

  @Override
  public void close() throws Exception {
    if (computeThread != null) {
      computeThread.close();
    }
    super.close();
  }
}
