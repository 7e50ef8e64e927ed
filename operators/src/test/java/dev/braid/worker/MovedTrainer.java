package dev.braid.worker;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.Durations.Kind;
import dev.braid.loop.LoopPort;
import dev.braid.loop.SimulatedWork;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.Holding;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One rank of a simulated loop that is saved and restored as a Flink task is, through {@link
 * ReplicaPart} and {@link Replica}: a real trainer, on given batches, with gradients of whole
 * numbers that depend on the samples alone.
 */
class MovedTrainer implements TrainerMember, TrainerHost {

  static final int LENGTH = 23;
  private static final int CHUNK = 5;

  /** What a checkpoint has of a rank: its state, what it has used, and the epochs it told of. */
  record Saved(byte[] part, int used, Set<Integer> evaluated) {}

  private final Role role;
  private final LoopPort port;
  private final List<Batch> batches;
  private final Map<Integer, float[]> finished;
  private final Trainer trainer;
  private final SimulatedWork work;
  private final Set<Integer> evaluated = new TreeSet<>();
  private int emitted;
  private int used;

  /**
   * @param mayStop whether each epoch's end is asked for a verdict
   * @param restored what it goes on from, if it does
   * @param finished takes the final weights of the workers
   */
  MovedTrainer(
      Role role,
      Way way,
      boolean mayStop,
      LoopPort port,
      SimulatedWork work,
      Optional<Replica> restored,
      List<Batch> batches,
      Map<Integer, float[]> finished) {
    this.role = role;
    this.port = port;
    this.work = work;
    this.batches = batches;
    this.finished = finished;
    Model model =
        new Model(
            TestUpdaters.summing(),
            restored.map(it -> it.vectors()[0].clone()).orElse(new float[LENGTH]),
            new float[0][],
            restored.map(Replica::steps).orElse(0L));
    trainer =
        new Trainer(
            this,
            way.exchange()::create,
            new ExchangeConfig(
                role.rank(),
                role.roles().ranks(),
                LENGTH,
                CHUNK,
                restored.map(Replica::completedRounds).orElse(0L),
                options(way, role.roles().ranks(), role.batch())),
            model,
            mayStop
                ? OptionalInt.of(restored.map(Replica::closedEpochs).orElse(0))
                : OptionalInt.empty(),
            restored.map(Replica::openEpoch).orElse(OptionalInt.empty()),
            restored.map(Replica::endedEpochs).orElse(0));
    if (restored.isPresent()) {
      try {
        trainer.exchange().readStates(restored.get().exchangeStates());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static ExchangeOptions options(Way way, int ranks, int batch) {
    return way.options(ranks).withBatch(batch);
  }

  /** What a sample adds to the gradient. */
  static int gradient(int epoch, int sample, int element) {
    return Math.floorMod((epoch * 31 + sample) * 17 + element * 5, 19) - 9;
  }

  Set<Integer> evaluated() {
    return evaluated;
  }

  @Override
  public void start() {
    if (role.computes()) {
      batchTaken();
      batchTaken();
    } else {
      trainer.exhausted();
    }
    trainer.begin();
  }

  @Override
  public void beforeSnapshot() {
    trainer.position().confirm();
  }

  @Override
  public Saved snapshot(boolean held) {
    Model replica = trainer.replicaToSave();
    Range whole = Range.ofLength(LENGTH);
    boolean agree = trainer.exchange().replicasAgree();
    Optional<Range> served = trainer.exchange().served();
    Range share = role.computes() ? whole.part(role.rank(), role.workers()) : Range.EMPTY;
    Range range = served.orElse(agree ? share : whole);
    try {
      ReplicaPart part =
          new ReplicaPart(
              role,
              held,
              trainer.membership().isCurrent(),
              trainer.position().rounds(),
              replica.steps(),
              0,
              trainer.position().openEpoch(),
              trainer.position().endedEpochs(),
              LENGTH,
              served.isPresent() ? Holding.SERVED : agree ? Holding.SHARE : Holding.REPLICA,
              range,
              List.of(Slice.view(replica.weights(), range)),
              EpochSums.NONE,
              "summing",
              trainer.exchange().writeStates());
      return new Saved(part.toBytes(), used, new TreeSet<>(evaluated));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean awaitsWakeUp() {
    return false;
  }

  /** Nothing fails, so that no time-out matters. */
  @Override
  public void wakeUp() {}

  @Override
  public void wakeAt(long nanos) {}

  @Override
  public long nowNanos() {
    return 0;
  }

  @Override
  public void batchTaken() {
    work.begin(
        Kind.BATCH,
        () -> {
          if (emitted == batches.size()) {
            trainer.exhausted();
          } else {
            trainer.batch(batches.get(emitted++));
            port.roundsAdvanced();
          }
        });
  }

  @Override
  public void roundCounts(CompletedRound round) {
    used++;
  }

  @Override
  public void batchDropped(Batch batch) {
    used++;
  }

  @Override
  public void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
    Arrays.fill(gradient, 0);
    for (int place = 0; place < batch.size(); place++) {
      int row = place;
      float times = batch.combination().map(it -> it.coefficients()[row]).orElse(1f);
      for (int i = 0; i < LENGTH; i++) {
        gradient[i] += times * gradient(batch.epoch(), batch.ids()[place], i);
      }
    }
    work.begin(Kind.GRADIENT, () -> then.accept(new GradientResult(1, 1)));
  }

  @Override
  public void prepare(Batch batch) {}

  @Override
  public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
    work.begin(Kind.EVALUATION, () -> then.accept(new Learner.Score(1, 1, 1)));
  }

  @Override
  public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
    evaluate(TestShare.NONE, weights, then);
  }

  @Override
  public void epochOver(int epoch, long completedRounds, EpochScore score) {
    if (!evaluated.add(epoch)) {
      throw new IllegalStateException("epoch " + epoch + " is evaluated twice at " + role);
    }
  }

  @Override
  public void finish(RankResult result, Range reported, long completedRounds, boolean isLeftOut) {
    if (role.computes()) {
      finished.put(role.rank(), result.replica().weights().clone());
    }
    port.end();
  }

  @Override
  public void send(Message message) {
    port.send(message);
  }

  @Override
  public void tell(ViewMessage.ToArbiter message) {
    port.tell(new LoopEvent.ToArbiter(message));
  }

  @Override
  public void done(long view, long completedRounds) {
    port.tell(new LoopEvent.Done(view, completedRounds));
  }

  @Override
  public void entered(View view) {}

  @Override
  public void roundDone(CompletedRound round) {}

  @Override
  public void askVerdict(VerdictQuestion question) {
    port.tell(question.withSum((double) question.score().correct()));
  }

  @Override
  public void paused(long nanos) {}

  @Override
  public Trainer trainer() {
    return trainer;
  }
}
