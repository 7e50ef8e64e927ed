package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Planning;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.learner.Batch;
import dev.braid.loop.member.Holdable;
import dev.braid.loop.member.LoopMember;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.RoundClock;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * One rank's training: takes batches, requests their gradients, hands the gradients to the exchange
 * and applies the exchange's updates. A trainer belongs to one thread, never blocks and never
 * computes a gradient itself. Relaying and failure detection therefore continue while a gradient is
 * computed (Ako §4.1, decoupled CPU and network use).
 *
 * <p>A trainer is always in one of these states, and {@link #advance()} takes the next step:
 *
 * <pre>
 *   idle ─▶ computing ─▶ ready ─▶ exchanging ─▶ idle          a round
 *   idle ─▶ scoring ─▶ awaiting a verdict ─▶ idle             after the last round of an epoch
 *   idle ─▶ taking the result ─▶ ending ─▶ done               no batch left, or training stops
 *                                  ending ─▶ scoring ─▶ ending  if the model differs from every
 *                                                            model that was evaluated
 *   done ─▶ ending                                           an excluded rank lacks something
 *   done ─▶ handed over                                       all ranks are done
 * </pre>
 *
 * <p>A round of an asynchronous exchange is complete when its gradient is contributed: it passes
 * through the state exchanging at once. In the state ending, the rank waits until all its messages
 * have arrived; a synchronous exchange has nothing to wait for.
 *
 * <p>A rank that is excluded from the view stays idle, or ready. When it rejoins, it receives a
 * copy of the model and drops the batches of the rounds that it has missed. Whenever a rank moves
 * to another position in its data in this way, or is set back by a round, it becomes idle. Its work
 * in progress belonged to the old position, and a result that arrives later is discarded ({@link
 * PendingResult}).
 *
 * <p>A round may be complete without this rank's gradient, because the gradient was too late or is
 * not ready yet. The rank then drops the round's batch, unless other ranks have computed its
 * samples, too, and discards the gradient in progress.
 *
 * <p>A rank that only serves others gets no batch and is done at once; its exchange continues.
 *
 * <p>A frozen trainer does not leave the states idle and ready, except to evaluate an epoch that is
 * over for other ranks. A rank that was exchanging and is rolled back becomes ready again, with the
 * same gradient.
 */
final class Trainer implements LoopMember {

  /** Seed of the plan's random choices: with the same times, every rank makes the same choice. */
  private static final long PLANNING_SEED = 1;

  private final TrainerHost host;
  private final Model model;
  private final ExchangeRunner exchange;
  private final PendingResult pending;
  private final OwnGradient gradient;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final EpochEnd epochEnd;
  private final TrainerHold hold;
  private final RankResult result;
  private final boolean countsOwnSteps;

  /** Whether no round is complete without this rank's gradient. */
  private final boolean waitsForAll;

  private TrainerState state = TrainerState.IDLE;
  private boolean exhausted;
  private boolean finishing;

  /** The last round that this rank has contributed to; −1 before the first. */
  private long contributed = -1;

  /** The last round that this rank has announced to the exchange; −1 before the first. */
  private long entered = -1;

  /** Whether a copy has replaced the model, and the trainer has not responded to it yet. */
  private boolean hasCaughtUp;

  /**
   * Creates a trainer at the beginning of a round.
   *
   * @param firstVerdict first epoch after which a verdict may stop training; empty if training
   *     continues until the batches end
   * @param openEpoch an epoch that has ended and is not evaluated, or whose verdict is pending
   * @param endedEpochs number of epochs that have ended at this rank
   */
  Trainer(
      TrainerHost host,
      ExchangeFactory factory,
      ExchangeConfig config,
      Model model,
      OptionalInt firstVerdict,
      OptionalInt openEpoch,
      int endedEpochs) {
    this.host = host;
    this.model = model;
    this.exchange = factory.create(config, new TrainerPort(host, model, this::caughtUp));
    exchange.planning().ifPresent(it -> it.drawFrom(() -> new SplittableRandom(PLANNING_SEED)));
    this.waitsForAll = exchange.waitsForAll();
    this.countsOwnSteps = !exchange.isSynchronous() && exchange.served().isEmpty();
    if (countsOwnSteps) {
      model.countOwnSteps();
    } else {
      exchange.served().ifPresent(model::serve);
    }
    this.pending = new PendingResult(model::weightsAreBack, this::advance);
    this.membership = new Membership(exchange, config.rank(), config.roles());
    this.position =
        new Position(
            host,
            membership.mayBeSetBack(),
            this::discard,
            config.completedRounds(),
            openEpoch,
            endedEpochs);
    this.gradient = new OwnGradient(host, pending, config.rank(), config.length());
    this.clock = new RoundClock(host::nowNanos);
    this.epochEnd =
        new EpochEnd(host, pending, exchange, model, membership, position, firstVerdict);
    this.hold =
        new TrainerHold(
            host,
            exchange,
            position,
            membership,
            clock,
            new TrainerHold.Steps(this::enterRounds, this::readyAgain, this::begin));
    this.result = new RankResult(host, pending, exchange, model);
  }

  /** Begins or resumes training from the state of the exchange. */
  void begin() {
    entered = -1;
    exchange.resume();
    exchangeCalled();
  }

  // ---- events --------------------------------------------------------------------------------

  /** Adds a batch from the source. */
  void batch(Batch batch) {
    position.add(batch);
    completeRounds();
    handOverIfThere();
    advance();
  }

  /** Handles the end of the source: there are no more batches. */
  void exhausted() {
    exhausted = true;
    advance();
  }

  /** Handles a deadline that the exchange has asked for. */
  void deadline() {
    exchange.deadline();
    exchangeCalled();
  }

  @Override
  public void receive(Message message) {
    exchange.receive(message);
    exchangeCalled();
  }

  @Override
  public boolean takesMessages() {
    return !position.isBehind() || exchange.view().isPresent() || !exchange.isSynchronous();
  }

  private void become(TrainerState next) {
    state = state.become(next);
  }

  private void gradientReady() {
    become(TrainerState.READY);
    advance();
  }

  private void scored(boolean counts) {
    if (!counts) {
      // Other ranks have been excluded or have rejoined meanwhile.
      become(TrainerState.IDLE);
      advance();
    } else if (epochEnd.needsVerdict()) {
      become(TrainerState.AWAITING_VERDICT);
      epochEnd.awaitVerdict();
    } else {
      closeEpoch();
    }
  }

  @Override
  public void verdict(int epoch, boolean stop) {
    if (state != TrainerState.AWAITING_VERDICT || position.openEpoch().getAsInt() != epoch) {
      // This rank has been excluded, and its question is void, or it will ask again.
      return;
    }
    if (isBeingCopied()) {
      // The rank asks again when the copy is complete.
      return;
    }
    epochEnd.verdict(stop);
    if (stop) {
      end();
    } else {
      closeEpoch();
    }
  }

  private void closeEpoch() {
    position.closeEpoch();
    become(TrainerState.IDLE);
    clock.roundBegins();
    advance();
  }

  // ---- next step -----------------------------------------------------------------------------

  /** Takes the next step that is possible, if any. */
  void advance() {
    enterRounds();
    if (hold.isFrozen() && !lacksScore()) {
      return;
    }
    switch (state) {
      case IDLE -> advanceIdle();
      case READY -> contribute();
      case ENDING -> flushAndEnd();
      case COMPUTING,
          EXCHANGING,
          SCORING,
          AWAITING_VERDICT,
          TAKING_RESULT,
          SCORING_RESULT,
          DONE,
          HANDED_OVER -> {}
    }
  }

  /**
   * Returns whether other ranks have completed a round of the next epoch, and this rank has to
   * follow before the loop is held, but has not evaluated its share of the test set.
   */
  private boolean lacksScore() {
    return state == TrainerState.IDLE
        && position.openEpoch().isPresent()
        && hold.mayEnter(position.rounds());
  }

  private void enterRounds() {
    while (!waitsForAll && entersNextRound()) {
      entered = position.rounds();
      exchange.enter(entered, position.next().lastOfEpoch());
      completeRounds();
    }
  }

  private boolean entersNextRound() {
    return entered < position.rounds()
        && state.isInRound()
        && !position.isBehind()
        && position.openEpoch().isEmpty()
        && position.hasNext()
        && hold.mayEnter(position.rounds());
  }

  private void advanceIdle() {
    if (pending.isOutstanding()) {
      // The compute thread is busy with a dropped computation.
      return;
    }
    // An asynchronous exchange never stops updating the weights, so a copy of them is evaluated.
    boolean mayRead =
        !position.isBehind()
            && (exchange.isSynchronous() ? exchange.mayCompute() : !isBeingCopied());
    OptionalInt openEpoch = position.openEpoch();
    if (openEpoch.isPresent() && mayRead) {
      become(TrainerState.SCORING);
      epochEnd.score(this::scored);
    } else if (openEpoch.isEmpty() && position.hasNext() && exchange.mayCompute()) {
      become(TrainerState.COMPUTING);
      gradient.compute(position, exchange, model::lendWeights, this::gradientReady);
    } else if (openEpoch.isEmpty() && !position.hasNext() && exhausted && !isBeingCopied()) {
      end();
    }
  }

  /**
   * Returns whether this rank's model is only partly replaced by another rank's. (In a synchronous
   * exchange the rank does nothing meanwhile.)
   */
  private boolean isBeingCopied() {
    return !exchange.isSynchronous() && membership.waitsForCopy();
  }

  private void end() {
    become(TrainerState.TAKING_RESULT);
    result.take(
        () -> {
          become(TrainerState.ENDING);
          // The trainer may be frozen; then nothing may begin, not even a flush.
          advance();
        });
  }

  private void flushAndEnd() {
    host.ends();
    exchange.end();
    if (!exchange.isQuiet()) {
      result.mayChange();
      return;
    }
    if (result.isToBeScored()) {
      become(TrainerState.SCORING_RESULT);
      result.score(
          membership.testShare(),
          () -> {
            become(TrainerState.ENDING);
            advance();
          });
    } else {
      become(TrainerState.DONE);
      host.done(membership.view(), position.rounds());
    }
  }

  private void contribute() {
    if (membership.mayContribute()) {
      become(TrainerState.EXCHANGING);
      clock.contributed();
      prepareNext();
      contributed = gradient.contribution().round();
      host.contributes(gradient.contribution());
      exchange.contribute(gradient.contribution());
      if (countsOwnSteps) {
        model.ownStep();
      }
      exchangeCalled();
    }
  }

  /**
   * Prepares the next batch, because the compute thread is idle until the next weights arrive. With
   * an asynchronous exchange it is never idle: messages arrive at any time and need the processor.
   */
  private void prepareNext() {
    if (exchange.isSynchronous()) {
      position.following().filter(batch -> batch.size() > 0).ifPresent(host::prepare);
    }
  }

  private void exchangeCalled() {
    if (hasCaughtUp && membership.isCurrent()) {
      hasCaughtUp = false;
      shareTestSetAnew();
      askForVerdictAgain();
    }
    completeRounds();
    if (state == TrainerState.AWAITING_VERDICT) {
      epochEnd.askAgainIfOthersAreAway();
    }
    advance();
  }

  private void completeRounds() {
    while (!position.isBehind() && position.rounds() < exchange.completedRounds()) {
      if (hasOwnGradient(position.rounds())) {
        roundDone(gradient.completed(position.next(), position.rounds(), clock));
      } else if (!waitsForAll && exchange.usesAllSamples()) {
        dropPending();
        roundDone(gradient.completedByOthers(position.next(), position.rounds(), clock));
      } else {
        position.missUntil(position.rounds() + 1);
      }
    }
    exchange.planning().ifPresent(this::tellPlan);
  }

  private void tellPlan(Planning planning) {
    Optional<CodeTree> codes = planning.plan();
    if (codes.isPresent()) {
      host.planned(codes, position.endedEpochs() + 1);
    } else if (position.rounds() >= exchange.completedRounds()) {
      host.planned(codes, position.endedEpochs());
    }
  }

  /** Returns whether this rank's gradient is in a completed round. */
  private boolean hasOwnGradient(long round) {
    return contributed == round && exchange.countsOwnGradient(round);
  }

  private void roundDone(CompletedRound round) {
    gradient.discard();
    become(TrainerState.IDLE);
    position.complete(round);
    host.roundDone(round);
  }

  // ---- views ---------------------------------------------------------------------------------

  @Override
  public void handle(ToRank message) {
    long before = exchange.completedRounds();
    exchange.handle(message);
    if (message instanceof Enter enter) {
      if (exchange.completedRounds() < before) {
        // No member of the view has the last round that this rank has completed.
        position.setBack();
      }
      readyAgain();
      host.entered(enter.view());
      shareTestSetAnew();
      tellAgain();
    }
    exchangeCalled();
  }

  /**
   * Updates the shares of the test set. The members of the view share the evaluation of an epoch
   * whose end the view begins with.
   */
  private void shareTestSetAnew() {
    boolean isHere = position.rounds() == exchange.completedRounds();
    // A score in progress is checked when it arrives; the end of the run is the same for all ranks.
    boolean isBeforeScore = state.isInRound() || state == TrainerState.AWAITING_VERDICT;
    if (isBeforeScore && isHere && membership.isCurrent() && epochEnd.shareAnew()) {
      discard();
    }
  }

  private void askForVerdictAgain() {
    if (state == TrainerState.AWAITING_VERDICT) {
      epochEnd.ask();
    }
  }

  /**
   * Repeats questions and reports in a new view, because those from an earlier view do not count.
   */
  private void tellAgain() {
    askForVerdictAgain();
    if (state == TrainerState.SCORING_RESULT && exchange.isSynchronous()) {
      // Another average may follow, with an excluded rank.
      dropPending();
      become(TrainerState.ENDING);
    }
    if (state != TrainerState.DONE) {
      return;
    }
    if (exchange.isSynchronous() && exchange.isQuiet()) {
      host.done(membership.view(), position.rounds());
    } else if (exchange.isSynchronous() && exchange.replicasAgree()) {
      // The model to hand over must first arrive from other ranks.
      become(TrainerState.IDLE);
    } else {
      // With an asynchronous exchange, the end waits for absent ranks. Where replicas differ, they
      // are made equal again.
      become(TrainerState.ENDING);
    }
  }

  /** Discards the work in progress, which belongs to another position than the rank's. */
  private void discard() {
    if (state != TrainerState.HANDED_OVER) {
      dropPending();
      gradient.discard();
      become(TrainerState.IDLE);
    }
  }

  private void dropPending() {
    if (state == TrainerState.COMPUTING) {
      host.gradientIsDropped();
    }
    pending.drop();
  }

  private void caughtUp(long round) {
    hasCaughtUp = true;
    // A score, or the end, concerns the same model if the rank has missed no round.
    if (state.isInRound()) {
      discard();
    }
    position.missUntil(round);
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public Holdable holdable() {
    return hold;
  }

  private void readyAgain() {
    if (state == TrainerState.EXCHANGING) {
      become(TrainerState.READY);
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  @Override
  public void finish(long rounds) {
    finishing = true;
    if (membership.isLeftOut()) {
      position.missUntil(rounds);
    }
    handOverIfThere();
  }

  private void handOverIfThere() {
    if (finishing && !position.isBehind()) {
      finishing = false;
      discard();
      become(TrainerState.HANDED_OVER);
      position.end();
      host.finish(result, membership.reported(model), position.rounds(), membership.isLeftOut());
    }
  }

  /** Returns the replica for a checkpoint: with all gradients that have arrived for it. */
  Model replicaToSave() {
    return model.after(exchange.deferredSteps());
  }

  ExchangeRunner exchange() {
    return exchange;
  }

  Position position() {
    return position;
  }

  Membership membership() {
    return membership;
  }

  @Override
  public String toString() {
    return "%s%s after %d rounds, open epoch %s"
        .formatted(
            state, hold.isFrozen() ? ", frozen" : "", position.rounds(), position.openEpoch());
  }
}
