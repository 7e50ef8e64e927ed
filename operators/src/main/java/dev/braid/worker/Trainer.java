package dev.braid.worker;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeType;
import dev.braid.exchange.Message;
import dev.braid.exchange.ViewMessage.Enter;
import dev.braid.exchange.ViewMessage.ToRank;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.LoopMember;
import java.util.OptionalInt;

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
 *   idle ─▶ taking the result ─▶ ending ─▶ done               no batch left, or target reached
 * </pre>
 *
 * <p>A round of an asynchronous exchange is complete when its gradient is contributed: exchanging
 * passes at once. Ending is waiting until all that was sent has arrived; a synchronous exchange has
 * nothing to wait for.
 *
 * <p>A rank that is left out of the view stays idle, or ready; back in the view it gets a copy of
 * the model, and drops the batches of the rounds that it has missed.
 *
 * <p>A rank that only serves others gets no batch, and is done at once; its exchange goes on.
 *
 * <p>While frozen, nothing leaves idle or ready; what was exchanging and is rolled back is ready
 * again, with the gradient it had.
 */
final class Trainer implements LoopMember {

  private enum State {
    IDLE,
    COMPUTING,
    READY,
    EXCHANGING,
    SCORING,
    AWAITING_VERDICT,
    TAKING_RESULT,
    ENDING,
    DONE
  }

  private final TrainerHost host;
  private final boolean hasTarget;
  private final Model model;
  private final Exchange exchange;
  private final OwnGradient gradient;
  private final Position position;
  private final Membership membership;
  private final RoundClock clock;
  private final RankResult result;

  private State state = State.IDLE;
  private boolean frozen;
  private boolean exhausted;

  /** Whether what is being computed is of weights that are no longer the model's. */
  private boolean computesInVain;

  private boolean finishing;

  /**
   * A trainer at the beginning of a round.
   *
   * @param hasTarget whether training may stop before the batches end
   * @param openEpoch an epoch that has ended but is not evaluated, or whose verdict is open
   * @param endedEpochs how many epochs have ended at this rank
   */
  Trainer(
      TrainerHost host,
      ExchangeType type,
      ExchangeConfig config,
      Model model,
      boolean hasTarget,
      OptionalInt openEpoch,
      int endedEpochs) {
    this.host = host;
    this.hasTarget = hasTarget;
    this.model = model;
    this.exchange = type.create(config, new TrainerPort(host, model, this::caughtUp));
    exchange.served().ifPresent(model::countStepsOver);
    this.position =
        new Position(
            host, exchange.isSynchronous(), config.completedRounds(), openEpoch, endedEpochs);
    this.gradient = new OwnGradient(host, config.rank(), config.length());
    this.membership = new Membership(exchange, config.rank());
    this.clock = new RoundClock(host);
    this.result = new RankResult(host, exchange, model);
  }

  /** Goes on from the state that its exchange is in. */
  void begin() {
    exchange.goOn();
    exchangeCalled();
  }

  // ---- what happens to it --------------------------------------------------------------------

  /** A batch has come from the source. */
  void batch(Batch batch) {
    position.add(batch);
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

  private void gradientReady() {
    if (!wasInVain()) {
      state = State.READY;
      advance();
    }
  }

  private boolean wasInVain() {
    model.weightsAreBack();
    boolean was = computesInVain;
    if (was) {
      computesInVain = false;
      state = State.IDLE;
      advance();
    }
    return was;
  }

  private void scored(int epoch, Learner.Score score) {
    if (wasInVain()) {
      return;
    }
    host.epochEvaluated(epoch, position.rounds(), score);
    if (hasTarget) {
      state = State.AWAITING_VERDICT;
      host.askVerdict(epoch, score);
    } else {
      closeEpoch();
    }
  }

  @Override
  public void verdict(int epoch, boolean stop) {
    if (state != State.AWAITING_VERDICT || position.openEpoch().orElse(-1) != epoch) {
      // This rank has been left out and has asked in vain, or will ask again.
      return;
    }
    if (stop) {
      // The epoch stays open: a run that is restored from here asks again and stops again.
      end();
    } else {
      closeEpoch();
    }
  }

  private void closeEpoch() {
    position.closeEpoch();
    state = State.IDLE;
    clock.roundBegins();
    advance();
  }

  // ---- what it does next ---------------------------------------------------------------------

  /** Does what can be done next, if anything. */
  void advance() {
    if (frozen) {
      return;
    }
    switch (state) {
      case IDLE -> advanceIdle();
      case READY -> contribute();
      case ENDING -> flushAndEnd();
      case COMPUTING, EXCHANGING, SCORING, AWAITING_VERDICT, TAKING_RESULT, DONE -> {}
    }
  }

  private void advanceIdle() {
    // Asynchronous updates never end, and a copy is evaluated.
    boolean mayRead = !position.isBehind() && (exchange.mayCompute() || !exchange.isSynchronous());
    OptionalInt openEpoch = position.openEpoch();
    if (openEpoch.isPresent() && mayRead) {
      int epoch = openEpoch.getAsInt();
      state = State.SCORING;
      host.evaluate(weightsToScore(), score -> scored(epoch, score));
    } else if (openEpoch.isEmpty() && position.hasNext() && exchange.mayCompute()) {
      state = State.COMPUTING;
      gradient.compute(position, exchange, model::lendWeights, this::gradientReady);
    } else if (openEpoch.isEmpty() && !position.hasNext() && exhausted) {
      end();
    }
  }

  private void end() {
    state = State.TAKING_RESULT;
    result.take(
        () -> {
          state = State.ENDING;
          // It may be frozen, when nothing may begin: not a flush either.
          advance();
        });
  }

  private void flushAndEnd() {
    exchange.end();
    if (exchange.isQuiet()) {
      state = State.DONE;
      host.done(position.rounds());
    }
  }

  /** Asynchronous updates come meanwhile, and an accuracy is to be that of one model. */
  private float[] weightsToScore() {
    return exchange.isSynchronous() ? model.lendWeights() : model.copyWeights();
  }

  private void contribute() {
    if (membership.mayContribute()) {
      state = State.EXCHANGING;
      clock.contributed();
      prepareNext();
      exchange.contribute(gradient.contribution());
      exchangeCalled();
    }
  }

  /**
   * The compute thread has time until the next weights are there. Where ranks go their own pace it
   * has none: others' messages come at any time, and want the processor.
   */
  private void prepareNext() {
    if (exchange.isSynchronous()) {
      position.following().filter(batch -> batch.size() > 0).ifPresent(host::prepare);
    }
  }

  private void exchangeCalled() {
    while (!position.isBehind() && position.rounds() < exchange.completedRounds()) {
      roundDone();
    }
    advance();
  }

  private void roundDone() {
    long round = position.rounds();
    Batch batch = position.complete();
    gradient.discard();
    state = State.IDLE;
    gradient.report(batch, round, clock);
  }

  // ---- views ---------------------------------------------------------------------------------

  @Override
  public void handle(ToRank message) {
    long before = exchange.completedRounds();
    exchange.elastic().orElseThrow().handle(message);
    if (message instanceof Enter enter) {
      if (exchange.completedRounds() < before) {
        // Nobody else has the round that this rank has completed last.
        discard();
        position.setBack();
        state = state == State.DONE ? State.IDLE : state;
      }
      readyAgain();
      host.entered(enter.view());
      if (state == State.DONE) {
        // Of the members of another view, all may be done.
        host.done(position.rounds());
      }
    }
    exchangeCalled();
  }

  /** What is under way is of a model that is no longer this rank's. */
  private void discard() {
    gradient.discard();
    switch (state) {
      case COMPUTING, SCORING -> computesInVain = true;
      case READY, EXCHANGING, AWAITING_VERDICT -> state = State.IDLE;
      case IDLE, TAKING_RESULT, ENDING, DONE -> {}
    }
  }

  private void caughtUp(long round) {
    boolean isScoring = state == State.SCORING || state == State.AWAITING_VERDICT;
    if (!isScoring || position.rounds() < round) {
      discard();
    }
    position.missUntil(round);
  }

  @Override
  public void holdAfter(long rounds) {
    if (membership.isLeftOut()) {
      position.missUntil(rounds);
    }
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public long completedRounds() {
    return exchange.isSynchronous() ? membership.jointRounds(position) : 0;
  }

  @Override
  public boolean isThrough(long rounds) {
    return !exchange.isSynchronous() || membership.isThrough(position, rounds);
  }

  @Override
  public boolean servesWhileHeld() {
    return exchange.servesWhileHeld();
  }

  @Override
  public void freeze() {
    frozen = true;
    clock.frozen();
  }

  @Override
  public boolean flushes() {
    return !exchange.isSynchronous();
  }

  @Override
  public void flush() {
    exchange.flush();
  }

  @Override
  public boolean allHasArrived() {
    return exchange.isQuiet();
  }

  @Override
  public void rollBack() {
    exchange.rollBack();
    readyAgain();
  }

  private void readyAgain() {
    if (state == State.EXCHANGING) {
      state = State.READY;
    }
  }

  @Override
  public void resume() {
    frozen = false;
    host.paused(clock.pauseNanos());
    begin();
  }

  @Override
  public void finish(long rounds) {
    finishing = true;
    if (membership.isLeftOut()) {
      discard();
      position.missUntil(rounds);
    }
    handOverIfThere();
  }

  private void handOverIfThere() {
    if (finishing && !position.isBehind()) {
      finishing = false;
      position.end(membership.isLeftOut());
      host.finish(result, membership.reported(model), position.rounds(), membership.isLeftOut());
    }
  }

  /** The replica as a checkpoint saves it: with all that has come for it. */
  Model replicaToSave() {
    return model.after(exchange.heldBack());
  }

  Exchange exchange() {
    return exchange;
  }

  Position position() {
    return position;
  }

  Membership membership() {
    return membership;
  }
}
