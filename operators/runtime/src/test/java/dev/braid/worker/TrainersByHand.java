package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.TrainerHost.VerdictQuestion;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The trainers of a run with views, controlled by a test: it hands out batches, cuts ranks off,
 * delays evaluations, and acts as the arbiter of views and the coordinator. The order of messages
 * and results, which is random elsewhere, is the same in every run.
 */
final class TrainersByHand {

  static final int ROUNDS_PER_EPOCH = 2;

  private static final int LENGTH = 7;
  private static final int CHUNK = 3;
  private static final int SAMPLES = 10;
  private static final int MAX_STEPS = 10_000;

  private final List<Rank> ranks = new ArrayList<>();
  private final Deque<Message> messages = new ArrayDeque<>();
  private final Set<Integer> cutOff = new HashSet<>();
  private final ExchangeType type;
  private final boolean hasTarget;
  private View view;
  private int rounds;

  /** Creates trainers with the exchange {@code ft-tree}. */
  TrainersByHand(int ranks, boolean hasTarget) {
    this(ExchangeType.FT_TREE, ranks, hasTarget);
  }

  TrainersByHand(ExchangeType exchange, int ranks, boolean hasTarget) {
    this.type = exchange;
    this.hasTarget = hasTarget;
    this.view = View.all(ranks, 0);
    for (int rank = 0; rank < ranks; rank++) {
      this.ranks.add(new Rank(rank, ranks));
    }
    this.ranks.forEach(rank -> rank.trainer.begin());
  }

  Rank rank(int rank) {
    return ranks.get(rank);
  }

  /** Loses all messages to and from a rank. */
  void cutOff(int rank) {
    cutOff.add(rank);
    messages.removeIf(this::isLost);
  }

  void heal(int rank) {
    cutOff.remove(rank);
  }

  private boolean isLost(Message message) {
    return cutOff.contains(message.from()) || cutOff.contains(message.to());
  }

  /**
   * Hands the batches of the rounds up to {@code untilRound} to all ranks and processes all events.
   */
  void batches(int untilRound) {
    batches(untilRound, () -> false);
  }

  /** Hands out batches until {@code isSo} holds; it then stops processing events. */
  void batches(int untilRound, BooleanSupplier isSo) {
    for (; rounds < untilRound; rounds++) {
      boolean last = rounds % ROUNDS_PER_EPOCH == ROUNDS_PER_EPOCH - 1;
      int[] ids = {rounds, rounds};
      for (Rank rank : ranks) {
        rank.trainer.batch(
            new Batch(rounds / ROUNDS_PER_EPOCH, ids, Features.NONE, new int[ids.length], last));
      }
    }
    runUntil(isSo);
  }

  /** Makes all ranks enter the next view. */
  void enter(List<Integer> members, long round, List<Integer> current) {
    view = new View(view.number() + 1, members, round, current);
    ranks.forEach(rank -> rank.trainer.handle(new Enter(view)));
    runUntilIdle();
  }

  /**
   * Takes a checkpoint after {@code afterRounds} rounds, and runs {@code meanwhile} while all ranks
   * are held.
   */
  void checkpoint(long afterRounds, Runnable meanwhile) {
    ranks.forEach(rank -> rank.trainer.holdable().freeze());
    ranks.forEach(rank -> rank.trainer.holdable().holdAfter(afterRounds));
    assertThat(ranks)
        .allMatch(rank -> rank.trainer.holdable().isThrough(afterRounds), "is through");
    ranks.forEach(rank -> rank.trainer.holdable().rollBack());
    meanwhile.run();
    ranks.forEach(rank -> rank.trainer.holdable().resume());
    runUntilIdle();
  }

  /** Sends the verdict that training continues after this epoch. */
  void continueAfter(int epoch) {
    verdict(epoch, false);
  }

  /** Sends the verdict that training stops after this epoch. */
  void stopAfter(int epoch) {
    verdict(epoch, true);
  }

  private void verdict(int epoch, boolean stop) {
    ranks.forEach(rank -> rank.trainer.verdict(epoch, stop));
    runUntilIdle();
  }

  /** Ends the batches of all ranks. */
  void exhausted() {
    ranks.forEach(rank -> rank.trainer.exhausted());
    runUntilIdle();
  }

  /** Processes the messages and results in flight, and all that follow from them. */
  void runUntilIdle() {
    runUntil(() -> false);
  }

  private void runUntil(BooleanSupplier isSo) {
    for (int step = 0; !isSo.getAsBoolean(); step++) {
      if (step == MAX_STEPS) {
        throw new AssertionError("without end: " + this);
      }
      Message message = messages.poll();
      if (message != null) {
        ranks.get(message.to()).trainer.receive(message);
      } else if (ranks.stream().noneMatch(Rank::givesResult)) {
        return;
      }
    }
  }

  @Override
  public String toString() {
    return view + ", " + ranks;
  }

  /** One rank, which records its questions and reports. */
  final class Rank implements TrainerHost {

    /** An epoch and the score that the rank has reported. */
    record Said(int epoch, EpochScore score) {}

    private final int rank;
    private final Model model =
        new Model(TestUpdaters.plain(), new float[LENGTH], new float[0][], 0);
    private final Trainer trainer;
    private final Deque<Runnable> results = new ArrayDeque<>();
    private final Deque<Runnable> lateScores = new ArrayDeque<>();
    private final List<Integer> asked = new ArrayList<>();
    private final List<Said> reported = new ArrayList<>();
    private List<Integer> toldAbsent = List.of();
    private boolean isDone;
    private boolean evaluatesSlowly;
    private int evaluations;

    private Rank(int rank, int ranks) {
      this.rank = rank;
      trainer =
          new Trainer(
              this,
              type::create,
              new ExchangeConfig(
                  rank,
                  ranks,
                  LENGTH,
                  CHUNK,
                  0,
                  ExchangeOptions.defaults(ranks)
                      .with(ExchangeOptions.STALENESS, 2)
                      .with(Compression.OPTION, Compression.NONE)),
              model,
              hasTarget ? OptionalInt.of(0) : OptionalInt.empty(),
              OptionalInt.empty(),
              0);
    }

    boolean awaitsVerdict() {
      return trainer.toString().startsWith("AWAITING_VERDICT");
    }

    long rounds() {
      return trainer.position().rounds();
    }

    float[] weights() {
      return model.weights();
    }

    /** Delays scores until {@link #lateScoreComes} is called. */
    void evaluatesSlowly() {
      evaluatesSlowly = true;
    }

    boolean isEvaluating() {
      return !lateScores.isEmpty();
    }

    void lateScoreComes() {
      evaluatesSlowly = false;
      lateScores.remove().run();
      runUntilIdle();
    }

    /** Returns the epochs for which the rank has asked for a verdict. */
    List<Integer> asked() {
      return asked;
    }

    List<Said> reported() {
      return reported;
    }

    /** Returns the ranks that were absent according to the rank's last question for a verdict. */
    List<Integer> toldAbsent() {
      return toldAbsent;
    }

    /** Returns whether the rank has ended, and all its messages have arrived. */
    boolean isDone() {
      return isDone;
    }

    private boolean givesResult() {
      Runnable result = results.poll();
      if (result != null) {
        result.run();
      }
      return result != null;
    }

    @Override
    public void computeGradient(
        Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
      Arrays.fill(gradient, batch.ids()[0] + 10 * rank + 1);
      results.add(() -> then.accept(new GradientResult(1, 1)));
    }

    /** Evaluates to a number of correct samples that equals the number of earlier evaluations. */
    @Override
    public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
      Learner.Score score = new Learner.Score(SAMPLES, evaluations++, 1);
      (evaluatesSlowly ? lateScores : results).add(() -> then.accept(score));
    }

    @Override
    public void askVerdict(VerdictQuestion question) {
      asked.add(question.epoch());
      toldAbsent = question.absent();
    }

    @Override
    public void epochOver(int epoch, long completedRounds, EpochScore score) {
      reported.add(new Said(epoch, score));
    }

    @Override
    public void send(Message m) {
      float[] values = m.payload().dense().toArray();
      Message sent = m.withPayload(Payload.of(Slice.view(values, 0, values.length)));
      if (!isLost(sent)) {
        messages.add(sent);
      }
    }

    /** Time stands still: a lost message is lost for good, and a new view begins again. */
    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
      assertThat(trainer.exchange().isSynchronous())
          .as("whether a replica is one for all")
          .isFalse();
      results.add(() -> then.accept(Learner.Score.NONE));
    }

    @Override
    public void prepare(Batch batch) {}

    @Override
    public void batchTaken() {}

    @Override
    public void roundCounts(CompletedRound round) {}

    @Override
    public void batchDropped(Batch batch) {}

    @Override
    public void entered(View view) {}

    @Override
    public void tell(ViewMessage.ToArbiter message) {}

    @Override
    public void roundDone(CompletedRound round) {}

    @Override
    public void paused(long nanos) {}

    @Override
    public void done(long view, long completedRounds) {
      isDone = true;
    }

    @Override
    public void finish(RankResult result, Range reported, long rounds, boolean leftOut) {}

    @Override
    public String toString() {
      return "rank %d: %s, asked %s, reported %s".formatted(rank, trainer, asked, reported);
    }
  }
}
