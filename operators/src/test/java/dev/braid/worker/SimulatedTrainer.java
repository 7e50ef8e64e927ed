package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.Piece;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeFactory;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.loop.Durations.Kind;
import dev.braid.loop.LoopPort;
import dev.braid.loop.SimulatedWork;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.vector.Range;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One rank of a simulated loop: a real trainer with its exchange, on batches of a given number of
 * rounds and gradients that do not depend on the weights.
 */
class SimulatedTrainer implements TrainerMember, TrainerHost {

  static final int LENGTH = 23;
  static final int EPOCHS = 3;
  static final int ROUNDS_PER_EPOCH = 4;

  private record Kept(
      boolean held,
      boolean current,
      long rounds,
      float[] weights,
      long steps,
      OptionalInt openEpoch,
      int endedEpochs,
      EpochRecords records,
      Map<String, byte[]> exchangeStates) {}

  /**
   * One outcome: the final weights of all workers, the rounds they took, what they reported of
   * epochs, how many views they entered, who was cut off in the end, and the model.
   */
  record Outcome(
      Map<Integer, float[]> weights,
      Map<Integer, Long> rounds,
      Map<Integer, EpochRecords> epochs,
      Map<Integer, Integer> viewsEntered,
      Set<Integer> leftOut,
      float[] model) {

    Outcome() {
      this(
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeSet<>(),
          new float[LENGTH]);
    }
  }

  private final int rank;
  private final int ranks;
  private final boolean isWorker;

  /** What each rank computes of the others' batches, where ranks do. */
  private Optional<Allocation> allocation;

  private final int workers;

  /** Where trees are chosen anew: batches of earlier epochs only, and how many are waited for. */
  private int beforeEpoch = Integer.MAX_VALUE;

  private int batchesWaiting;

  private final LoopPort port;
  private final Outcome outcome;
  private final Trainer trainer;
  private final SimulatedWork work;
  private final EpochRecords records;

  /** What is computed into, while it is. */
  private Optional<float[]> computing = Optional.empty();

  private long nextRound;
  private long consumed;
  private long nowNanos;
  private long wakeNanos = Long.MAX_VALUE;

  /** The replica as it was evaluated in the end, if it was. */
  private Optional<float[]> evaluatedReplica = Optional.empty();

  private Optional<float[]> lastEvaluated = Optional.empty();

  SimulatedTrainer(
      int rank,
      int ranks,
      Way way,
      boolean hasTarget,
      LoopPort port,
      SimulatedWork work,
      List<Object> snapshots,
      Outcome outcome) {
    this(rank, ranks, way, way.exchange()::create, hasTarget, port, work, snapshots, outcome);
  }

  /** With an exchange of a test's own in the place of the way's. */
  SimulatedTrainer(
      int rank,
      int ranks,
      Way way,
      ExchangeFactory exchange,
      boolean hasTarget,
      LoopPort port,
      SimulatedWork work,
      List<Object> snapshots,
      Outcome outcome) {
    this.rank = rank;
    this.ranks = ranks;
    this.workers = ranks - way.dedicated();
    this.isWorker = rank < workers;
    this.allocation = way.codes(workers).map(codes -> new Allocation(codes, workers));
    this.port = port;
    this.work = work;
    this.outcome = outcome;
    List<Kept> kept = new ArrayList<>();
    snapshots.forEach(snapshot -> kept.add((Kept) snapshot));
    assertThat(kept).allMatch(Kept::held);
    boolean fresh = kept.isEmpty();
    records = fresh ? new EpochRecords() : kept.get(rank).records().copy();
    Optional<Kept> replica = replica(kept, rank);
    float[] weights = replica.map(it -> it.weights().clone()).orElse(new float[LENGTH]);
    nextRound = fresh ? 0 : kept.get(rank).rounds();
    consumed = nextRound;
    Model model =
        new Model(
            way.isSynchronous() ? TestUpdaters.plain() : TestUpdaters.summing(),
            weights,
            new float[0][],
            replica.map(Kept::steps).orElse(0L));
    trainer =
        new Trainer(
            this,
            exchange,
            new ExchangeConfig(rank, ranks, LENGTH, 5, nextRound, way.options(ranks)),
            model,
            hasTarget ? OptionalInt.of(0) : OptionalInt.empty(),
            fresh ? OptionalInt.empty() : kept.get(rank).openEpoch(),
            fresh ? 0 : kept.get(rank).endedEpochs());
    if (trainer.exchange().replicasAgree()) {
      assertThat(kept.stream().limit(ranks - way.dedicated()).map(Kept::rounds).distinct().count())
          .isLessThanOrEqualTo(1);
    }
    if (!fresh) {
      restoreExchange(kept.get(rank).exchangeStates());
    }
  }

  /** Its own, or that of another where it was left out. */
  private static Optional<Kept> replica(List<Kept> kept, int rank) {
    return !kept.isEmpty() && kept.get(rank).current()
        ? Optional.of(kept.get(rank))
        : kept.stream().filter(Kept::current).findFirst();
  }

  private void restoreExchange(Map<String, byte[]> states) {
    try {
      trainer.exchange().readStates(states);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many rounds are behind this rank. */
  long rounds() {
    return trainer.position().rounds();
  }

  /** Whether an epoch has ended, and the tree of the next one is not known here. */
  final boolean awaitsTree() {
    return trainer.exchange().planning().map(it -> it.plan().isEmpty()).orElse(false);
  }

  /** Whether it has reported an epoch. */
  boolean hasReported(int epoch) {
    return records.reports().stream().anyMatch(report -> report.epoch() == epoch);
  }

  @Override
  public void start() {
    if (isWorker) {
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
  public Object snapshot(boolean held) {
    if (held) {
      assertThat(consumed).isEqualTo(trainer.position().rounds());
    }
    Map<String, byte[]> exchangeStates;
    try {
      exchangeStates = trainer.exchange().writeStates();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Kept(
        held,
        trainer.membership().isCurrent(),
        trainer.position().rounds(),
        trainer.replicaToSave().weights().clone(),
        trainer.replicaToSave().steps(),
        trainer.position().openEpoch(),
        trainer.position().endedEpochs(),
        records.copy(),
        exchangeStates);
  }

  @Override
  public boolean awaitsWakeUp() {
    return wakeNanos < Long.MAX_VALUE;
  }

  @Override
  public void wakeUp() {
    nowNanos = Math.max(nowNanos, wakeNanos);
    wakeNanos = Long.MAX_VALUE;
    trainer.deadline();
    port.roundsAdvanced();
  }

  @Override
  public void batchTaken() {
    work.begin(Kind.BATCH, this::nextBatch);
  }

  @Override
  public void roundCounts(CompletedRound round) {
    assertThat(round.round()).isEqualTo(consumed);
    consumed++;
    records.used(round.batch());
  }

  @Override
  public void batchDropped(Batch batch) {
    consumed++;
  }

  @Override
  public void entered(View view) {
    outcome.viewsEntered().merge(rank, 1, Integer::sum);
  }

  @Override
  public void tell(ViewMessage.ToArbiter message) {
    port.tell(new LoopEvent.ToArbiter(message));
  }

  @Override
  public void planned(Optional<CodeTree> codes, int earlierEpochs) {
    beforeEpoch = earlierEpochs;
    if (codes.isPresent()) {
      allocation = Optional.of(new Allocation(codes.get(), workers));
      for (int waiting = batchesWaiting; waiting > 0; waiting--) {
        batchTaken();
      }
      batchesWaiting = 0;
    }
  }

  private void nextBatch() {
    if (nextRound == EPOCHS * ROUNDS_PER_EPOCH) {
      trainer.exhausted();
      return;
    }
    if (nextRound / ROUNDS_PER_EPOCH >= beforeEpoch) {
      batchesWaiting++;
      return;
    }
    long round = nextRound++;
    // Rank 1 runs out of samples in the last round of each epoch.
    boolean last = round % ROUNDS_PER_EPOCH == ROUNDS_PER_EPOCH - 1;
    Batch own = batch(round, last && rank == 1 ? 0 : 3, last);
    trainer.batch(allocation.map(it -> combined(own, round, last)).orElse(own));
    port.roundsAdvanced();
  }

  private static Batch batch(long round, int samples, boolean last) {
    int[] ids = new int[samples];
    Arrays.fill(ids, (int) round);
    return new Batch((int) round / ROUNDS_PER_EPOCH, ids, Features.NONE, new int[samples], last);
  }

  /** A sample stands for the batches of all ranks that this one computes. */
  private Batch combined(Batch own, long round, boolean last) {
    int roundSamples = 3 * ranks - (last && ranks > 1 ? 3 : 0);
    return batch(round, 1, last)
        .combined(new Combination(new float[] {1}, own.ids(), roundSamples));
  }

  @Override
  public void prepare(Batch batch) {}

  @Override
  public void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
    // From the weights as they are now, and not yet done.
    int round = batch.ids()[0];
    if (allocation.isEmpty()) {
      compute(round, rank, weights, gradient);
    } else {
      combine(round, weights, gradient);
    }
    computing = Optional.of(gradient);
    work.begin(
        Kind.GRADIENT,
        () -> {
          computing = Optional.empty();
          trainer.exchange().planning().ifPresent(it -> it.computed(nanosOf(round)));
          then.accept(new GradientResult(1, 1));
        });
  }

  /** It leaves off in the midst of it: any sum that has it is no number. */
  @Override
  public void gradientIsDropped() {
    float[] gradient = computing.orElseThrow();
    Arrays.fill(gradient, LENGTH / 2, LENGTH, Float.NaN);
    work.leaveOff();
  }

  /** In each epoch others are slow, so that another tree is the best. */
  private double nanosOf(int round) {
    int epoch = round / ROUNDS_PER_EPOCH;
    return 1e7 * (rank % (epoch + 2) == 0 ? 30 : 1 + 0.1 * (round % 3));
  }

  private void compute(int round, int ofRank, float[] weights, float[] gradient) {
    SplittableRandom random = new SplittableRandom(round * 31L + ofRank);
    for (int i = 0; i < LENGTH; i++) {
      gradient[i] =
          trainer.exchange().isSynchronous()
              ? weights[i] + (float) random.nextDouble() - 0.5f
              : random.nextInt(-100, 101);
    }
  }

  private void combine(int round, float[] weights, float[] gradient) {
    Arrays.fill(gradient, 0);
    float[] one = new float[LENGTH];
    boolean last = round % ROUNDS_PER_EPOCH == ROUNDS_PER_EPOCH - 1;
    for (Piece piece : allocation.orElseThrow().of(rank)) {
      for (int other = piece.start(); other < piece.end(); other++) {
        if (!last || other != 1) {
          compute(round, other, weights, one);
          for (int i = 0; i < LENGTH; i++) {
            gradient[i] += (float) piece.coefficient() * one[i];
          }
        }
      }
    }
  }

  @Override
  public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
    lastEvaluated = Optional.of(weights.clone());
    int correct = trainer.position().openEpoch().orElse(EPOCHS) == 0 ? 0 : 10;
    Learner.Score score =
        share.parts() > 0 ? new Learner.Score(10, correct, 1) : Learner.Score.NONE;
    work.begin(Kind.EVALUATION, () -> then.accept(score));
  }

  @Override
  public void epochModel(int epoch, float[] weights) {
    assertThat(weights).hasSize(LENGTH);
  }

  @Override
  public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
    assertThat(evaluatedReplica).as("evaluated before").isEmpty();
    evaluatedReplica = Optional.of(weights.clone());
    work.begin(Kind.RESULT, () -> then.accept(new Learner.Score(10, rank, 1)));
  }

  @Override
  public void askVerdict(VerdictQuestion question) {
    port.tell(question.withSum((double) question.score().correct()));
  }

  @Override
  public void done(long view, long completedRounds) {
    port.tell(new LoopEvent.Done(view, completedRounds));
  }

  @Override
  public void finish(RankResult result, Range reported, long completedRounds, boolean isLeftOut) {
    Model model = result.model();
    Model replica = result.replica();
    if (isLeftOut) {
      outcome.leftOut().add(rank);
    } else {
      outcome.leftOut().remove(rank);
    }
    HostedExchange exchange = trainer.exchange();
    assertThat(model == replica)
        .as("what others have under way in the end is in the replica only")
        .isEqualTo(exchange.isSynchronous() || exchange.served().isPresent());
    assertThat(evaluatedReplica.isPresent()).isEqualTo(!exchange.isSynchronous());
    assertThat(result.score().correct()).isEqualTo(exchange.isSynchronous() ? 0 : rank);
    if (model != replica) {
      assertThat(evaluatedReplica.orElseThrow()).isEqualTo(model.weights());
    }
    boolean isMadeAtTheEnd = model == replica && !exchange.replicasAgree();
    assertThat(result.finalScore().samples()).isEqualTo(isMadeAtTheEnd && isWorker ? 10 : 0);
    if (isMadeAtTheEnd && isWorker) {
      assertThat(lastEvaluated.orElseThrow())
          .as("what the accuracy of the saved model was found with")
          .isEqualTo(model.weights());
    }
    System.arraycopy(
        model.weights(), reported.start(), outcome.model(), reported.start(), reported.length());
    if (isWorker) {
      outcome.weights().put(rank, replica.weights().clone());
      outcome.rounds().put(rank, completedRounds);
      outcome.epochs().put(rank, records);
      records.handedOver();
    }
    port.end();
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public void wakeAt(long nanos) {
    wakeNanos = nanos;
  }

  @Override
  public void send(Message message) {
    port.send(message);
  }

  @Override
  public void roundDone(CompletedRound round) {}

  @Override
  public void epochOver(int epoch, long completedRounds, EpochScore score) {
    records.reported(epoch, completedRounds, score);
  }

  @Override
  public void paused(long nanos) {}

  @Override
  public Trainer trainer() {
    return trainer;
  }

  @Override
  public String toString() {
    return "rank %d: %s%s, view %s, %s"
        .formatted(
            rank,
            trainer,
            trainer.position().isBehind() ? ", behind" : "",
            trainer.exchange().elastic().map(Elastic::view),
            trainer.membership().isCurrent() ? "current" : "without the model");
  }
}
