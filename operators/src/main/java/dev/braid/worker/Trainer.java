package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeFactory;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Planning;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.learner.Batch;
import dev.braid.loop.Holdable;
import dev.braid.loop.LoopMember;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.RoundClock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * One rank's training: takes batches, has gradients computed, hands them to the exchange and
 * applies what the exchange answers. It belongs to one thread, never blocks and never computes a
 * gradient itself, so relaying and failure detection go on while a gradient is computed (Ako §4.1,
 * decoupled CPU and network use).
 *
 * <p>It is always in one of these states, and {@link #advance()} finds out what is next:
 *
 * <pre>
 *   idle ─▶ computing ─▶ ready ─▶ exchanging ─▶ idle          a round
 *   idle ─▶ scoring ─▶ awaiting a verdict ─▶ idle             after the last round of an epoch
 *   idle ─▶ taking the result ─▶ ending ─▶ done               no batch left, or training stops
 *                                  ending ─▶ scoring ─▶ ending  where the model is another than any
 *                                                            that was evaluated
 *   done ─▶ ending                                           where one is left out that lacks something
 *   done ─▶ handed over                                       all are done
 * </pre>
 *
 * <p>A round of an asynchronous exchange is complete when its gradient is contributed: exchanging
 * passes at once. Ending is waiting until all that was sent has arrived; a synchronous exchange has
 * nothing to wait for.
 *
 * <p>A rank that is left out of the view stays idle, or ready; back in the view it gets a copy of
 * the model, and drops the batches of the rounds that it has missed. Whenever it comes to another
 * place in its data in this way, or is set back by a round, it is idle: what it was doing was for
 * the place that it has left, and a result that comes later is nobody's ({@link PendingResult}).
 *
 * <p>A round may be complete without this rank's gradient, which came too late or is not there yet:
 * its batch is dropped then, unless others have computed its samples, too; and what is being
 * computed is worth nothing.
 *
 * <p>A rank that only serves others gets no batch, and is done at once; its exchange goes on.
 *
 * <p>While frozen, nothing leaves idle or ready; what was exchanging and is rolled back is ready
 * again, with the gradient it had.
 */
final class Trainer implements LoopMember {

  /** The same times, the same choice. */
  private static final long PLANNING_SEED = 1;

  private final TrainerHost host;
  private final Model model;
  private final HostedExchange hosted;
  private final Exchange exchange;
  private final PendingResult pending;
  private final OwnGradient gradient;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final EpochEnd epochEnd;
  private final TrainerHold hold;
  private final RankResult result;
  private final boolean countsOwnSteps;

  /** An exchange whose rounds may be complete without this rank's gradient. */
  private final Optional<Synchronous> quorum;

  private TrainerState state = TrainerState.IDLE;
  private boolean exhausted;
  private boolean finishing;

  /** The round that this rank has contributed to last; −1 before the first. */
  private long contributed = -1;

  /** The round that the exchange has last been told that this rank enters. */
  private long entered = -1;

  /** Whether its model has been replaced by a copy just now. */
  private boolean hasCaughtUp;

  /**
   * A trainer at the beginning of a round.
   *
   * @param firstVerdict from which epoch on training stops if the verdict on it says so: empty if
   *     it goes on until the batches end
   * @param openEpoch an epoch that has ended but is not evaluated, or whose verdict is open
   * @param endedEpochs how many epochs have ended at this rank
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
    this.hosted =
        HostedExchange.of(factory.create(config, new TrainerPort(host, model, this::caughtUp)));
    this.exchange = hosted.exchange();
    hosted.planning().ifPresent(it -> it.drawFrom(() -> new SplittableRandom(PLANNING_SEED)));
    this.quorum = hosted.synchronous().filter(it -> !it.waitsForAll());
    this.countsOwnSteps = !hosted.isSynchronous() && hosted.served().isEmpty();
    if (countsOwnSteps) {
      model.countOwnSteps();
    } else {
      hosted.served().ifPresent(model::serve);
    }
    this.pending = new PendingResult(model::weightsAreBack, this::advance);
    this.membership = new Membership(hosted, config.rank(), config.roles());
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
    this.epochEnd = new EpochEnd(host, pending, hosted, model, membership, position, firstVerdict);
    this.hold =
        new TrainerHold(
            host,
            hosted,
            position,
            membership,
            clock,
            new TrainerHold.Steps(this::enterRounds, this::readyAgain, this::begin));
    this.result = new RankResult(host, pending, hosted, model);
  }

  /** Goes on from the state that its exchange is in. */
  void begin() {
    entered = -1;
    exchange.goOn();
    exchangeCalled();
  }

  // ---- what happens to it --------------------------------------------------------------------

  /** A batch has come from the source. */
  void batch(Batch batch) {
    position.add(batch);
    completeRounds();
    handOverIfThere();
    advance();
  }

  /** The source has no more batches. */
  void exhausted() {
    exhausted = true;
    advance();
  }

  /** A time that the exchange asked for has come. */
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
    return !position.isBehind() || hosted.elastic().isPresent() || !hosted.isSynchronous();
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
      // Others have been left out, or are back, meanwhile.
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
      // This rank has been left out and has asked in vain, or will ask again.
      return;
    }
    if (isBeingCopied()) {
      // It asks again when the copy is whole.
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

  // ---- what it does next ---------------------------------------------------------------------

  /** Does what can be done next, if anything. */
  void advance() {
    enterRounds();
    if (hold.isFrozen()) {
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

  private void enterRounds() {
    while (quorum.isPresent() && entersNextRound()) {
      entered = position.rounds();
      quorum.get().enter(entered, position.next().lastOfEpoch());
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
      // The compute thread is busy with what nobody wants any more.
      return;
    }
    // Asynchronous updates never end, and a copy is evaluated.
    boolean mayRead =
        !position.isBehind() && (hosted.isSynchronous() ? exchange.mayCompute() : !isBeingCopied());
    OptionalInt openEpoch = position.openEpoch();
    if (openEpoch.isPresent() && mayRead) {
      become(TrainerState.SCORING);
      epochEnd.score(this::scored);
    } else if (openEpoch.isEmpty() && position.hasNext() && exchange.mayCompute()) {
      become(TrainerState.COMPUTING);
      gradient.compute(position, hosted.measured(), model::lendWeights, this::gradientReady);
    } else if (openEpoch.isEmpty() && !position.hasNext() && exhausted && !isBeingCopied()) {
      end();
    }
  }

  /**
   * Whether parts of another rank's model are in this rank's, and others are still to come. (In a
   * synchronous exchange it does nothing meanwhile.)
   */
  private boolean isBeingCopied() {
    return !hosted.isSynchronous() && membership.waitsForCopy();
  }

  private void end() {
    become(TrainerState.TAKING_RESULT);
    result.take(
        () -> {
          become(TrainerState.ENDING);
          // It may be frozen, when nothing may begin: not a flush either.
          advance();
        });
  }

  private void flushAndEnd() {
    host.ends();
    exchange.end();
    if (!exchange.isQuiet()) {
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
   * The compute thread has time until the next weights are there. Where ranks go their own pace it
   * has none: others' messages come at any time, and want the processor.
   */
  private void prepareNext() {
    if (hosted.isSynchronous()) {
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
      } else if (quorum.isPresent() && quorum.get().usesAllSamples()) {
        dropPending();
        roundDone(gradient.completedByOthers(position.next(), position.rounds(), clock));
      } else {
        position.missUntil(position.rounds() + 1);
      }
    }
    hosted.planning().ifPresent(this::tellPlan);
  }

  private void tellPlan(Planning planning) {
    Optional<CodeTree> codes = planning.plan();
    if (codes.isPresent()) {
      host.planned(codes, position.endedEpochs() + 1);
    } else if (position.rounds() >= exchange.completedRounds()) {
      host.planned(codes, position.endedEpochs());
    }
  }

  /** Whether this rank's gradient is in a round that is complete. */
  private boolean hasOwnGradient(long round) {
    return contributed == round
        && hosted.synchronous().map(it -> it.countsOwnGradient(round)).orElse(true);
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
    hosted.elastic().orElseThrow().handle(message);
    if (message instanceof Enter enter) {
      if (exchange.completedRounds() < before) {
        // No member of the view has the round that this rank has completed last.
        position.setBack();
      }
      readyAgain();
      host.entered(enter.view());
      shareTestSetAnew();
      tellAgain();
    }
    exchangeCalled();
  }

  /** Its members evaluate an epoch whose end the view begins with, each another share. */
  private void shareTestSetAnew() {
    boolean isHere = position.rounds() == exchange.completedRounds();
    // A score that is under way is looked at when it comes; an end is the same for all.
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

  /** What was said in one view does not count in the next. */
  private void tellAgain() {
    askForVerdictAgain();
    if (state != TrainerState.DONE) {
      return;
    }
    if (!hosted.isSynchronous()) {
      // Where ranks go their own pace, the end waits for those that are away.
      become(TrainerState.ENDING);
    } else if (exchange.isQuiet()) {
      host.done(membership.view(), position.rounds());
    } else {
      // What it is to hand over comes from others first.
      become(TrainerState.IDLE);
    }
  }

  /** What is under way is of no use where this rank is. */
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
    // A score, or an end, is of the same model where the rank has missed no round.
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

  /** The replica as a checkpoint saves it: with all that has come for it. */
  Model replicaToSave() {
    return model.after(hosted.asynchronous().map(Asynchronous::deferredSteps).orElse(List.of()));
  }

  HostedExchange exchange() {
    return hosted;
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
