package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ExchangeOptions.ServerOptions;
import dev.braid.exchange.ExchangeType;
import dev.braid.exchange.Message;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.View;
import dev.braid.exchange.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.LoopEvent;
import dev.braid.loop.LoopPort;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.loop.LoopSimulation.SimulatedMember;
import dev.braid.vector.Range;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Real trainers, exchanges, hold protocols and the real coordinator under random interleavings of
 * messages, checkpoints, abortions and failures: whatever happens, the final weights have the bits
 * of an undisturbed run, and every checkpoint is consistent.
 *
 * <p>That holds for asynchronous exchanges too where gradients do not depend on the weights and all
 * sums are exact: then the order does not matter, and whatever is lost or applied twice shows.
 */
class TrainerUnderCheckpointsTest {

  private static final int LENGTH = 23;
  private static final int EPOCHS = 3;
  private static final int ROUNDS_PER_EPOCH = 4;
  private static final double CUT_RATE = 0.001;

  private record Kept(
      boolean held,
      boolean current,
      long rounds,
      float[] weights,
      long steps,
      OptionalInt openEpoch,
      int endedEpochs,
      byte[] exchangeState) {}

  /**
   * One outcome: the final weights of all workers, the rounds they took, who was cut off in the
   * end, and the model.
   */
  private record Outcome(
      Map<Integer, float[]> weights,
      Map<Integer, Long> rounds,
      Set<Integer> leftOut,
      float[] model) {}

  @Provide
  Arbitrary<Way> ways() {
    return Arbitraries.of(Way.all());
  }

  @Property(tries = 600)
  void sameBitsWhateverHappens(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int workers,
      @ForAll("ways") Way way,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    // In the second epoch all samples are classified correctly, in the first none.
    OptionalDouble target = stopsEarly ? OptionalDouble.of(0.9) : OptionalDouble.empty();
    int ranks = workers + way.dedicated();
    // Of ranks that a cut network keeps apart for long, a fault-tolerant tree leaves some out.
    double cut = way.exchange() == ExchangeType.FT_TREE ? 0 : CUT_RATE;
    Outcome calm = run(1, ranks, way, target, Rates.CALM);
    Outcome stormy =
        run(
            seed,
            ranks,
            way,
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.001 / ranks : 0, 0, cut));

    long expectedRounds = (stopsEarly ? 2 : EPOCHS) * (long) ROUNDS_PER_EPOCH;
    for (int rank = 0; rank < workers; rank++) {
      assertThat(stormy.rounds().get(rank)).isEqualTo(expectedRounds);
      // Partners of gossip take means with what the moment has.
      if (way.exchange() != ExchangeType.GOSSIP) {
        assertThat(stormy.weights().get(rank)).isEqualTo(calm.weights().get(0));
      }
    }
    if (way.isSynchronous() || way.exchange() == ExchangeType.PS) {
      assertThat(stormy.model()).isEqualTo(stormy.weights().get(0));
    }
  }

  /** Ranks are cut off, also while a checkpoint is taken, and are back, or not. */
  @Property(tries = 400)
  void ranksThatAreCutOffStopNobody(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int ranks,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    OptionalDouble target = stopsEarly ? OptionalDouble.of(0.9) : OptionalDouble.empty();
    Outcome outcome =
        run(
            seed,
            ranks,
            new Way(ExchangeType.FT_TREE, ServerOptions.DEFAULT),
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.0005 / ranks : 0, 0.003, CUT_RATE));
    long expectedRounds = (stopsEarly ? 2 : EPOCHS) * (long) ROUNDS_PER_EPOCH;
    assertThat(outcome.rounds().values()).hasSize(ranks).containsOnly(expectedRounds);
    assertThat(outcome.leftOut()).hasSizeLessThan(ranks);
    float[] first =
        outcome.weights().entrySet().stream()
            .filter(entry -> !outcome.leftOut().contains(entry.getKey()))
            .findFirst()
            .orElseThrow()
            .getValue();
    outcome
        .weights()
        .forEach(
            (rank, weights) -> {
              if (!outcome.leftOut().contains(rank)) {
                assertThat(weights).as("rank %d", rank).isEqualTo(first);
              }
            });
    assertThat(outcome.model()).isEqualTo(first);
  }

  /** So many checkpoints, and so many abortions, that some meet the end of the job. */
  @Property(tries = 200)
  void abortedCheckpointsDisturbNoMemberThatHasEnded(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int workers, @ForAll("ways") Way way)
      throws Exception {
    int ranks = workers + way.dedicated();
    Outcome outcome =
        run(
            seed,
            ranks,
            way,
            OptionalDouble.empty(),
            new Rates(0.2 / (ranks * ranks), 0.02, 0, 0, CUT_RATE));

    assertThat(outcome.rounds().values()).containsOnly((long) EPOCHS * ROUNDS_PER_EPOCH);
  }

  private static Outcome run(long seed, int ranks, Way way, OptionalDouble target, Rates rates)
      throws Exception {
    Outcome outcome =
        new Outcome(new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), new float[LENGTH]);
    LoopSimulation simulation =
        new LoopSimulation(
            ranks,
            new SplittableRandom(seed),
            target,
            way.dedicated(),
            rates,
            (rank, port, snapshots) ->
                new Member(rank, ranks, way, target.isPresent(), port, snapshots, outcome));
    simulation.run(1_000_000);
    return outcome;
  }

  private static final class Member implements SimulatedMember, TrainerHost {

    private final int rank;
    private final boolean isWorker;
    private final LoopPort port;
    private final Outcome outcome;
    private final Trainer trainer;
    private final Deque<Runnable> work = new ArrayDeque<>();
    private long nextRound;
    private long consumed;
    private long nowNanos;
    private long wakeNanos = Long.MAX_VALUE;

    Member(
        int rank,
        int ranks,
        Way way,
        boolean hasTarget,
        LoopPort port,
        List<Object> snapshots,
        Outcome outcome) {
      this.rank = rank;
      this.isWorker = rank < ranks - way.dedicated();
      this.port = port;
      this.outcome = outcome;
      List<Kept> kept = new ArrayList<>();
      snapshots.forEach(snapshot -> kept.add((Kept) snapshot));
      assertThat(kept).allMatch(Kept::held);
      boolean fresh = kept.isEmpty();
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
      ExchangeOptions options =
          ExchangeOptions.defaults(ranks)
              .withStaleness(2)
              // A damped gradient tells when it was computed.
              .withStalenessDamping(0)
              .withServers(way.servers());
      trainer =
          new Trainer(
              this,
              way.exchange(),
              new ExchangeConfig(rank, ranks, LENGTH, 5, nextRound, options),
              model,
              hasTarget,
              fresh ? OptionalInt.empty() : kept.get(rank).openEpoch(),
              fresh ? 0 : kept.get(rank).endedEpochs());
      if (trainer.exchange().replicasAgree()) {
        assertThat(
                kept.stream().limit(ranks - way.dedicated()).map(Kept::rounds).distinct().count())
            .isLessThanOrEqualTo(1);
      }
      if (!fresh) {
        restoreExchange(kept.get(rank).exchangeState());
      }
    }

    /** Its own, or that of another where it was left out. */
    private static Optional<Kept> replica(List<Kept> kept, int rank) {
      return !kept.isEmpty() && kept.get(rank).current()
          ? Optional.of(kept.get(rank))
          : kept.stream().filter(Kept::current).findFirst();
    }

    private void restoreExchange(byte[] state) {
      try {
        trainer.exchange().readState(new DataInputStream(new ByteArrayInputStream(state)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
      trainer.position().settle();
    }

    @Override
    public Object snapshot(boolean held) {
      if (held) {
        assertThat(consumed).isEqualTo(trainer.position().rounds());
      }
      ByteArrayOutputStream exchangeState = new ByteArrayOutputStream();
      try {
        trainer.exchange().writeState(new DataOutputStream(exchangeState));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Kept(
          held,
          trainer.membership().isCurrent(),
          trainer.position().rounds(),
          trainer.replicaToSave().weights().clone(),
          trainer.replica().steps(),
          trainer.position().openEpoch(),
          trainer.position().endedEpochs(),
          exchangeState.toByteArray());
    }

    @Override
    public boolean completeWork() {
      Runnable done = work.poll();
      if (done != null) {
        done.run();
      }
      return done != null;
    }

    @Override
    public void wakeUp() {
      if (wakeNanos < Long.MAX_VALUE) {
        nowNanos = Math.max(nowNanos, wakeNanos);
        wakeNanos = Long.MAX_VALUE;
        trainer.deadline();
        port.roundsAdvanced();
      }
    }

    @Override
    public void batchTaken() {
      work.add(this::nextBatch);
    }

    @Override
    public void batchUsed(Batch batch, long round) {
      assertThat(round).isEqualTo(consumed);
      consumed++;
    }

    @Override
    public void batchDropped() {
      consumed++;
    }

    @Override
    public void entered(View view) {}

    @Override
    public void tell(ViewMessage.ToArbiter message) {
      port.tell(new LoopEvent.ToArbiter(message));
    }

    private void nextBatch() {
      if (nextRound == EPOCHS * ROUNDS_PER_EPOCH) {
        trainer.exhausted();
        return;
      }
      long round = nextRound++;
      // Rank 1 runs out of samples in the last round of each epoch.
      boolean last = round % ROUNDS_PER_EPOCH == ROUNDS_PER_EPOCH - 1;
      int[] ids = new int[last && rank == 1 ? 0 : 3];
      Arrays.fill(ids, (int) round);
      trainer.batch(
          new Batch((int) round / ROUNDS_PER_EPOCH, ids, new float[0], new int[ids.length], last));
      port.roundsAdvanced();
    }

    @Override
    public void computeGradient(
        Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
      // From the weights as they are now, and not yet done.
      SplittableRandom random = new SplittableRandom(batch.ids()[0] * 31L + rank);
      for (int i = 0; i < LENGTH; i++) {
        gradient[i] =
            trainer.exchange().isSynchronous()
                ? weights[i] + (float) random.nextDouble() - 0.5f
                : random.nextInt(-100, 101);
      }
      work.add(() -> then.accept(new GradientResult(1, 1)));
    }

    @Override
    public void evaluate(float[] weights, Consumer<Learner.Score> then) {
      int epoch = trainer.position().openEpoch().getAsInt();
      work.add(() -> then.accept(new Learner.Score(10, epoch == 0 ? 0 : 10, 1)));
    }

    @Override
    public void askVerdict(int epoch, Learner.Score score) {
      port.tell(new LoopEvent.EpochScore(epoch, score.correct(), score.samples()));
    }

    @Override
    public void done(long completedRounds) {
      port.tell(new LoopEvent.Done(completedRounds));
    }

    @Override
    public void finish(
        Model model, Model replica, Range reported, long completedRounds, boolean isLeftOut) {
      if (isLeftOut) {
        outcome.leftOut().add(rank);
      } else {
        outcome.leftOut().remove(rank);
      }
      Exchange exchange = trainer.exchange();
      assertThat(model == replica)
          .as("what others have under way in the end is in the replica only")
          .isEqualTo(exchange.isSynchronous() || exchange.served().isPresent());
      System.arraycopy(
          model.weights(), reported.start(), outcome.model(), reported.start(), reported.length());
      if (isWorker) {
        outcome.weights().put(rank, replica.weights().clone());
        outcome.rounds().put(rank, completedRounds);
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
    public void roundDone(
        Batch batch, long round, double lossSum, RoundTimes times, Staleness staleness) {}

    @Override
    public void epochEvaluated(int epoch, long completedRounds, Learner.Score score) {}

    @Override
    public void paused(long nanos) {}

    // ---- LoopMember, as the trainer sees to it -------------------------------------------------

    @Override
    public long completedRounds() {
      return trainer.completedRounds();
    }

    @Override
    public boolean isThrough(long rounds) {
      return trainer.isThrough(rounds);
    }

    @Override
    public boolean servesWhileHeld() {
      return trainer.servesWhileHeld();
    }

    @Override
    public boolean flushes() {
      return trainer.flushes();
    }

    @Override
    public void flush() {
      trainer.flush();
    }

    @Override
    public boolean allHasArrived() {
      return trainer.allHasArrived();
    }

    @Override
    public void freeze() {
      trainer.freeze();
    }

    @Override
    public void rollBack() {
      trainer.rollBack();
    }

    @Override
    public void resume() {
      trainer.resume();
    }

    @Override
    public void receive(Message message) {
      trainer.receive(message);
    }

    @Override
    public void verdict(int epoch, boolean stop) {
      trainer.verdict(epoch, stop);
    }

    @Override
    public void finish(long rounds) {
      trainer.finish(rounds);
    }

    @Override
    public void holdAfter(long rounds) {
      trainer.holdAfter(rounds);
    }

    @Override
    public void handle(ViewMessage.ToRank message) {
      trainer.handle(message);
    }
  }
}
