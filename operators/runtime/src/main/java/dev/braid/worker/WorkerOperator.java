package dev.braid.worker;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.state.StateKind;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.SharedSamples;
import dev.braid.learner.math.MathKernels;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.LoopOperator;
import dev.braid.loop.TaskFailure;
import dev.braid.loop.coordinator.Recovery;
import dev.braid.loop.envelope.Envelope;
import dev.braid.vector.Range;
import dev.braid.worker.compute.ComputeThread;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.LinkCounters;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import dev.braid.worker.state.SavedModel;
import dev.braid.worker.state.SavedPosition;
import dev.braid.worker.state.SavedVectors;
import dev.braid.worker.state.TakenState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker: hosts a {@link Trainer} in a Flink task. It takes batches from the source that is
 * chained in front of it, computes on a thread of its own, and keeps the model in operator state.
 */
public final class WorkerOperator extends LoopOperator<Batch> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(WorkerOperator.class);

  private final WorkerConfig workerConfig;

  private transient ListState<byte[]> partsState;
  private transient Optional<Replica> restored;
  private transient ComputeThread computeThread;
  private transient MathKernels kernels;

  /** The model that training begins with. */
  private transient Model model;

  private transient Pace pace;
  private transient SharedSamples sharedTestSet;
  private transient Samples testSet;
  private transient WorkerHost host;
  private transient Trainer trainer;
  private transient Role role;
  private transient LinkCounters links;

  WorkerOperator(StreamOperatorParameters<Envelope> parameters, WorkerConfig workerConfig) {
    super(parameters);
    this.workerConfig = workerConfig;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    int ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    role =
        new Role(
            getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
            workerConfig.options().roles(ranks),
            workerConfig.options().batch(),
            workerConfig.stateFormat());
    // With a union state, every rank reads every part and assembles the whole vectors.
    partsState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(SavedModel.STATE, BytePrimitiveArraySerializer.INSTANCE));
    restored = context.isRestored() ? restore() : Optional.empty();
  }

  private Optional<Replica> restore() throws Exception {
    try {
      List<ReplicaPart> parts = new ArrayList<>();
      for (byte[] state : partsState.get()) {
        parts.add(ReplicaPart.fromBytes(state));
      }
      partsState.clear();
      if (parts.isEmpty()) {
        return Optional.empty();
      }
      Replica replica = Replica.of(parts, role);
      SavedModel saved = SavedModel.of(parts.get(0));
      String optimiser = workerConfig.model().describeOptimiser();
      // Optimisers with equally many vectors cannot use each other's state.
      if (!saved.isOfUpdaterOf(optimiser)) {
        throw new IOException(
            ("the checkpoint's model was trained with %s, but this run uses %s: use the "
                    + "checkpoint's `updater`")
                .formatted(saved.optimiser(), optimiser));
      }
      if (role.rank() == 0) {
        saved.change(role.format()).ifPresent(change -> LOG.info("The checkpoint was {}", change));
      }
      return Optional.of(replica);
    } catch (IOException e) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    links =
        new LinkCounters(
            role.rank(),
            getRuntimeContext().getMetricGroup(),
            BraidMetric.LINK_BYTES,
            BraidMetric.LINK_MESSAGES);
    computeThread =
        new ComputeThread(
            "braid-compute-" + role.rank(),
            mailbox(),
            TaskFailure.of(this),
            workerConfig.model()::learner);
    kernels = computeThread.kernels();
    model = model();
    sharedTestSet = SharedSamples.use(job() + "/test", workerConfig.testSet()::open);
    testSet = sharedTestSet.get();
  }

  @Override
  protected void begin(int chunkLength) throws Exception {
    SavedPosition position = position();
    ExchangeConfig exchangeConfig =
        new ExchangeConfig(
                role.rank(),
                role.roles().ranks(),
                model.weights().length,
                Math.min(chunkLength, workerConfig.chunkLength()),
                position.completedRounds(),
                workerConfig.options())
            .withExact(workerConfig.model().statistics());
    host =
        new WorkerHost(
            role,
            this,
            sourceGate(),
            getProcessingTimeService(),
            new LaterReports(reporter(), mailbox()),
            computeThread,
            testSet,
            workerConfig.epochModels(),
            new WorkerMetrics(getRuntimeContext().getMetricGroup(), role.roles().ranks()),
            restored.map(Replica::sums).orElse(EpochSums.NONE));
    trainer =
        new Trainer(
            host,
            workerConfig.exchange()::create,
            exchangeConfig,
            model,
            workerConfig.stopping().mayStop()
                ? OptionalInt.of(restored.map(Replica::closedEpochs).orElse(0))
                : OptionalInt.empty(),
            position.openEpoch(),
            position.endedEpochs());
    restoreExchange();
    checkStateFits();
    host.start(trainer);
    startMember(trainer);
    host.reports().began(host(), exchangeConfig.chunkLength(), kernels);
    // Before the first batch arrives: the exchange may have to complete something first.
    trainer.begin();
    // If there are no batches for this rank, the source may have ended already.
    sourceGate().onExhausted(trainer::exhausted);
    sourceGate().grant(WorkerConfig.PREFETCHED_BATCHES);
  }

  private WorkerReports.Reporter reporter() {
    return new WorkerReports.Reporter() {
      @Override
      public <T> void report(OutputTag<T> tag, T report) {
        output.collect(tag, new StreamRecord<>(report));
      }
    };
  }

  private Model model() throws Exception {
    pace = pace();
    Updater updater = workerConfig.model().updater(pace);
    if (restored.isEmpty()) {
      float[] weights = computeThread.initialWeights();
      float[][] state = workerConfig.model().initialUpdaterState(weights.length);
      return new Model(updater, weights, state, workerConfig.model().initialSteps());
    }
    float[][] vectors = restored.get().vectors();
    if (vectors[0].length != computeThread.length()
        || vectors.length != 1 + updater.stateVectors()) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(
          new IOException(
              String.format(
                  "the checkpoint's model has %d parameters and %d updater vectors, but this run's"
                      + " has %d and %d: use the `model`, `updater` and `data` of the checkpoint",
                  vectors[0].length,
                  vectors.length - 1,
                  computeThread.length(),
                  updater.stateVectors())));
    }
    float[][] state = Arrays.copyOfRange(vectors, 1, vectors.length);
    return new Model(updater, vectors[0], state, position().steps());
  }

  /**
   * Returns the pace for the present number of workers, which may differ from the number requested
   * and from the number in the checkpoint.
   */
  private Pace pace() {
    return new Pace(
        workerConfig.model().stepsPerEpoch(role.workers()),
        position().steps(),
        position().epochs());
  }

  /** Returns the position from which this rank continues. */
  private SavedPosition position() {
    return restored
        .map(Replica::position)
        .orElseGet(() -> SavedPosition.start(workerConfig.model().initialSteps()));
  }

  /** Fails at start-up if the state exceeds the checkpoint size limit. */
  private void checkStateFits() {
    int length = model.weights().length;
    Range range = trainer.membership().rangeToSave(length);
    long stateVectors =
        trainer.exchange().stateKinds().stream().filter(StateKind::isVector).count();
    try {
      ReplicaPart.checkFits(
          model.vectorCount(), range.length(), stateVectors * length * Float.BYTES);
    } catch (IOException e) {
      throw new SuppressRestartsException(e);
    }
  }

  private void restoreExchange() throws IOException {
    List<StateKind> declared = workerConfig.stateFormat().states();
    if (!declared.containsAll(trainer.exchange().stateKinds())) {
      throw new IllegalStateException(
          "the exchange writes the states %s, but its descriptor declares %s"
              .formatted(trainer.exchange().stateKinds(), declared));
    }
    if (restored.isPresent()) {
      trainer.exchange().readStates(restored.get().exchangeStates());
    }
    // The model holds the whole vectors from here on.
    restored = Optional.empty();
  }

  @Override
  protected void recovered(List<Recovery> recoveries) {
    host.reports().recovered(recoveries);
  }

  @Override
  protected void slowDown(double slowdown) {
    host.slowDown(slowdown);
  }

  @Override
  protected void arrived(Message message) {
    Counter[] link = links.from(message.from());
    link[0].inc(EnvelopeSerializer.bytes(message));
    link[1].inc();
  }

  @Override
  public void processElement(StreamRecord<Batch> element) {
    trainer.batch(element.getValue());
    roundsAdvanced();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    super.prepareSnapshotPreBarrier(checkpoint);
    // Reports for the ledger must be sent before the barrier. If the loop is not held, nothing of
    // this checkpoint counts.
    if (isHeldFor(checkpoint)) {
      trainer.position().confirm();
      host.sendReports();
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    partsState.update(List.of(part().toBytes()));
    TakenState.clear(partsState, mailbox());
  }

  private ReplicaPart part() throws IOException {
    return part(
        trainer,
        role,
        isQuiet(),
        pace::epochs,
        host.reports().sums(),
        workerConfig.model().describeOptimiser());
  }

  /**
   * Returns the part of a checkpoint that a rank writes.
   *
   * @param epochs converts a number of the optimiser's steps into epochs
   */
  static ReplicaPart part(
      Trainer trainer,
      Role role,
      boolean isQuiet,
      LongToDoubleFunction epochs,
      EpochSums sums,
      String optimiser)
      throws IOException {
    Model replica = trainer.replicaToSave();
    int length = replica.weights().length;
    Range range = trainer.membership().rangeToSave(length);
    return new ReplicaPart(
        role,
        isQuiet,
        trainer.membership().isCurrent(),
        new SavedPosition(
            trainer.position().rounds(),
            replica.steps(),
            epochs.applyAsDouble(replica.steps()),
            trainer.position().openEpoch(),
            trainer.position().endedEpochs()),
        new SavedVectors(
            trainer.membership().partKind(),
            length,
            range,
            IntStream.range(0, replica.vectorCount())
                .mapToObj(v -> replica.part(v, range))
                .toList()),
        sums,
        optimiser,
        trainer.exchange().writeStates());
  }

  @Override
  public void close() throws Exception {
    try {
      if (sharedTestSet != null) {
        sharedTestSet.close();
      }
      if (host != null) {
        host.stopComputing();
      }
      if (computeThread != null) {
        computeThread.close();
      }
    } finally {
      super.close();
    }
  }
}
