package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.StateFormat;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Updater;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.member.LoopMember;
import dev.braid.vector.Range;
import dev.braid.worker.TrainerHost.VerdictQuestion;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import dev.braid.worker.state.SavedPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A rank's {@link Trainer} without Flink and without a learner, for callers that have their own
 * time and network and invent gradients, such as a simulator. Its batches are numbers of samples,
 * and the world provides the evaluations of models.
 */
public final class BareTrainer {

  /** Maximum number of batches that a rank has received and not used. */
  public static final int PREFETCHED_BATCHES = WorkerConfig.PREFETCHED_BATCHES;

  /** Environment of a trainer. The trainer calls it only from within its own methods. */
  public interface World {

    long nowNanos();

    /**
     * Requests a call of {@link BareTrainer#deadline()} at this time; only the latest request
     * counts.
     */
    void wakeAt(long nanos);

    /** Sends a message to another rank; its values are copied before this returns. */
    void send(Message message);

    void tell(LoopEvent.ToCoordinator event);

    /**
     * Computes this rank's gradient of a round.
     *
     * @param weights current weights of the model
     * @param gradient array that takes the gradient; it is not read or written before it is ready
     * @param ready called when the gradient is ready, after this method has returned
     */
    void compute(long round, float[] weights, float[] gradient, Runnable ready);

    /** Cancels the gradient in progress. It still becomes ready, with any content. */
    void gradientIsDropped();

    /**
     * Evaluates a model.
     *
     * @param ready called when the model is evaluated, after this method has returned
     */
    void evaluate(Runnable ready);

    /** Returns whether the model reaches the target of the run after an epoch. */
    boolean isGoodAfter(int epoch);

    /**
     * Called when an epoch is over at this rank after this many rounds, with the evaluated share.
     */
    void epochOver(int epoch, long completedRounds, TestShare share);

    /** Called when another batch may come. */
    void batchTaken();

    /**
     * Sets the tree by which gradients are combined, where trees are chosen again after each epoch.
     *
     * @param codes the tree; empty between the end of an epoch and the choice
     * @param beforeEpoch no batch of this epoch or a later one may come yet
     */
    void planned(Optional<CodeTree> codes, int beforeEpoch);

    /** Called when the rank contributes to its exchange. */
    void contributes(Contribution contribution);

    /** Signals that the rank has no more contributions. May be called repeatedly. */
    void ends();

    /**
     * Called when a round is complete with this rank's gradient, or with its samples; the round may
     * still be rolled back.
     */
    void roundDone(long round);

    /** Called when a complete round is final. */
    void roundCounts(long round);

    /** Called when the rank has entered a view and rolled back rounds where necessary. */
    void entered(View view);

    /**
     * Called when all ranks are done; this one hands over a part of the model.
     *
     * @param part range of the elements
     */
    void finished(float[] model, Range part);
  }

  /** Name of the updater in checkpoints. */
  private static final String SIMULATED = "simulated";

  /** Number of samples of each rank's share of the test set. */
  private static final int TEST_SAMPLES = 10;

  private final ExchangeConfig config;
  private final Role role;
  private final World world;
  private final Model model;
  private final Trainer trainer;

  /**
   * Creates a rank that has not begun: with a model of zeros and an updater whose state is zeros,
   * or from saved parts. Batches that it had not used come again.
   *
   * @param format format of the states that the exchange writes
   * @param mayStop whether training may stop after an epoch
   * @param parts parts that all ranks have {@linkplain #save saved}, under this exchange or
   *     another; empty for a start from the beginning
   * @throws UncheckedIOException if they do not fit together
   */
  public static BareTrainer of(
      ExchangeFactory factory,
      ExchangeConfig config,
      StateFormat format,
      Updater updater,
      boolean mayStop,
      List<byte[]> parts,
      World world) {
    Role role = new Role(config.rank(), config.roles(), config.options().batch(), format);
    return parts.isEmpty()
        ? new BareTrainer(
            factory,
            config,
            role,
            new Model(
                updater,
                new float[config.length()],
                new float[updater.stateVectors()][config.length()],
                0),
            mayStop ? OptionalInt.of(0) : OptionalInt.empty(),
            OptionalInt.empty(),
            0,
            world)
        : restored(factory, config, role, updater, mayStop, parts, world);
  }

  private BareTrainer(
      ExchangeFactory factory,
      ExchangeConfig config,
      Role role,
      Model model,
      OptionalInt firstVerdict,
      OptionalInt openEpoch,
      int endedEpochs,
      World world) {
    this.config = config;
    this.role = role;
    this.world = world;
    this.model = model;
    this.trainer =
        new Trainer(new Host(), factory, config, model, firstVerdict, openEpoch, endedEpochs);
  }

  private static BareTrainer restored(
      ExchangeFactory factory,
      ExchangeConfig config,
      Role role,
      Updater updater,
      boolean mayStop,
      List<byte[]> parts,
      World world) {
    try {
      List<ReplicaPart> read = new ArrayList<>();
      for (byte[] part : parts) {
        read.add(ReplicaPart.fromBytes(part));
      }
      Replica replica = Replica.of(read, role);
      SavedPosition position = replica.position();
      float[][] vectors = replica.vectors();
      float[][] state = Arrays.copyOfRange(vectors, 1, vectors.length);
      Model model = new Model(updater, vectors[0], state, position.steps());
      BareTrainer trainer =
          new BareTrainer(
              factory,
              config.after(position.completedRounds()),
              role,
              model,
              mayStop ? OptionalInt.of(replica.closedEpochs()) : OptionalInt.empty(),
              position.openEpoch(),
              position.endedEpochs(),
              world);
      trainer.exchange().readStates(replica.exchangeStates());
      return trainer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns this rank's part of a checkpoint.
   *
   * @param isQuiet whether the rank is held, or has ended
   */
  public byte[] save(boolean isQuiet) {
    try {
      return WorkerOperator.part(trainer, role, isQuiet, steps -> 0, EpochSums.NONE, SIMULATED)
          .toBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Confirms the position of the rank, which is held, before a snapshot. */
  public void confirm() {
    trainer.position().confirm();
  }

  /** Begins from the current state of its exchange. */
  public void begin() {
    trainer.begin();
  }

  /** Takes the batch of a round, with this number of samples. */
  public void batch(int epoch, int round, int samples, boolean isLastOfEpoch) {
    int[] ids = new int[samples];
    Arrays.fill(ids, round);
    trainer.batch(new Batch(epoch, ids, Features.NONE, new int[samples], isLastOfEpoch));
  }

  /** Signals that no further batch will come. */
  public void exhausted() {
    trainer.exhausted();
  }

  /** Called at the time of the latest requested deadline. */
  public void deadline() {
    trainer.deadline();
  }

  /** Returns its member of the loop. */
  public LoopMember member() {
    return trainer;
  }

  /** Returns its exchange. */
  public ExchangeRunner exchange() {
    return trainer.exchange();
  }

  /** Returns the number of complete rounds. */
  public long rounds() {
    return trainer.position().rounds();
  }

  /** Returns the current weights of its model. */
  public float[] weights() {
    return model.weights();
  }

  @Override
  public String toString() {
    return trainer.toString();
  }

  private final class Host implements TrainerHost {

    /** The model that was last evaluated. */
    private float[] evaluated = {};

    private Optional<float[]> evaluatedReplica = Optional.empty();

    @Override
    public long nowNanos() {
      return world.nowNanos();
    }

    @Override
    public void wakeAt(long nanos) {
      world.wakeAt(nanos);
    }

    @Override
    public void send(Message message) {
      world.send(message);
    }

    @Override
    public void computeGradient(
        Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
      require(
          exchange().planning().map(it -> it.plan().isPresent()).orElse(true),
          "a gradient before its tree is known");
      long begun = nowNanos();
      world.compute(
          batch.ids()[0],
          weights,
          gradient,
          () -> {
            exchange().planning().ifPresent(it -> it.computed((double) (nowNanos() - begun)));
            then.accept(new GradientResult(0, 0));
          });
    }

    @Override
    public void gradientIsDropped() {
      world.gradientIsDropped();
    }

    @Override
    public void prepare(Batch batch) {}

    @Override
    public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
      evaluated = weights.clone();
      OptionalInt epoch = trainer.position().openEpoch();
      boolean isGood = epoch.isPresent() && world.isGoodAfter(epoch.getAsInt());
      Learner.Score score =
          share.parts() > 0
              ? new Learner.Score(TEST_SAMPLES, isGood ? TEST_SAMPLES : 0, 1)
              : Learner.Score.NONE;
      world.evaluate(() -> then.accept(score));
    }

    @Override
    public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
      require(evaluatedReplica.isEmpty(), "the replica is evaluated again");
      evaluatedReplica = Optional.of(weights.clone());
      world.evaluate(() -> then.accept(Learner.Score.NONE));
    }

    @Override
    public void contributes(Contribution contribution) {
      world.contributes(contribution);
    }

    @Override
    public void ends() {
      world.ends();
    }

    @Override
    public void batchTaken() {
      world.batchTaken();
    }

    @Override
    public void planned(Optional<CodeTree> codes, int beforeEpoch) {
      world.planned(codes, beforeEpoch);
    }

    @Override
    public void roundCounts(CompletedRound round) {
      world.roundCounts(round.round());
    }

    @Override
    public void batchDropped(Batch batch) {}

    @Override
    public void entered(View view) {
      world.entered(view);
    }

    @Override
    public void tell(ViewMessage.ToArbiter message) {
      world.tell(new LoopEvent.ToArbiter(message));
    }

    @Override
    public void roundDone(CompletedRound round) {
      world.roundDone(round.round());
    }

    @Override
    public void epochOver(int epoch, long completedRounds, EpochScore score) {
      world.epochOver(epoch, completedRounds, score.share());
    }

    @Override
    public void askVerdict(VerdictQuestion question) {
      world.tell(question.withSum((double) question.score().correct()));
    }

    @Override
    public void paused(long nanos) {}

    @Override
    public void done(long view, long completedRounds) {
      world.tell(new LoopEvent.Done(view, completedRounds));
    }

    @Override
    public void finish(RankResult result, Range reported, long completedRounds, boolean leftOut) {
      if (!leftOut) {
        check(result);
      }
      world.finished(result.model().weights(), leftOut ? Range.EMPTY : reported);
    }

    /**
     * Checks the model that is handed over: in asynchronous exchanges, it is without the values
     * that others have in flight, and it is the model that was evaluated.
     */
    private void check(RankResult result) {
      boolean isOwnPace = !exchange().isSynchronous();
      boolean isReplica = result.model() == result.replica();
      require(isReplica == (!isOwnPace || exchange().served().isPresent()), "the wrong model");
      require(evaluatedReplica.isPresent() == isOwnPace, "a replica that was not evaluated");
      float[] model = result.model().weights();
      require(
          isReplica || Arrays.equals(evaluatedReplica.orElseThrow(), model),
          "a replica other than the evaluated one");
      boolean isMadeInTheEnd =
          isReplica && !exchange().replicasAgree() && config.roles().computes(config.rank());
      require(
          result.finalScore().samples() == (isMadeInTheEnd ? TEST_SAMPLES : 0),
          "a score of " + result.finalScore().samples() + " samples");
      require(
          !isMadeInTheEnd || Arrays.equals(evaluated, model),
          "a model other than the evaluated one");
    }

    private void require(boolean isSo, String otherwise) {
      if (!isSo) {
        throw new IllegalStateException(
            "rank %d computes, evaluates or hands over %s".formatted(config.rank(), otherwise));
      }
    }
  }
}
