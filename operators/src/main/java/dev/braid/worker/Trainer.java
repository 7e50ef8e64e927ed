package dev.braid.worker;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeType;
import dev.braid.exchange.Message;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.LoopMember;
import dev.braid.worker.TrainerHost.GradientResult;
import dev.braid.worker.TrainerHost.RoundTimes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
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
 *   idle ─▶ ending ─▶ done                                    no batch left, or target reached
 * </pre>
 *
 * <p>A round of an asynchronous exchange is complete when its gradient is contributed: exchanging
 * passes at once. Ending is waiting until all that was sent has arrived; a synchronous exchange has
 * nothing to wait for.
 *
 * <p>While frozen, nothing leaves idle or ready; what was exchanging and is rolled back is ready
 * again, with the gradient it had.
 */
final class Trainer implements LoopMember, Port {

  private enum State {
    IDLE,
    COMPUTING,
    READY,
    EXCHANGING,
    SCORING,
    AWAITING_VERDICT,
    ENDING,
    DONE
  }

  private final TrainerHost host;
  private final int rank;
  private final boolean hasTarget;
  private final Model model;
  private final Exchange exchange;
  private final float[] gradient;

  /** The weights as they were when computing began; empty where they do not change meanwhile. */
  private final float[] snapshot;

  private final Deque<Batch> batches = new ArrayDeque<>();

  private State state = State.IDLE;
  private boolean frozen;
  private boolean exhausted;
  private long completedRounds;
  private OptionalInt openEpoch;
  private int endedEpochs;

  private Optional<Contribution> contribution = Optional.empty();
  private GradientResult result = new GradientResult(0, 0);
  private long roundBeganNanos;
  private long contributedNanos;
  private long frozenNanos;

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
    this.rank = config.rank();
    this.hasTarget = hasTarget;
    this.model = model;
    this.exchange = type.create(config, this);
    this.gradient = new float[config.length()];
    this.completedRounds = config.completedRounds();
    this.openEpoch = openEpoch;
    this.endedEpochs = endedEpochs;
    this.snapshot = exchange.isSynchronous() ? new float[0] : new float[config.length()];
    this.roundBeganNanos = host.nowNanos();
  }

  /** Goes on from the state that its exchange is in. */
  void begin() {
    exchange.goOn();
    exchangeCalled();
  }

  // ---- what happens to it --------------------------------------------------------------------

  /** A batch has come from the source. */
  void batch(Batch batch) {
    batches.add(batch);
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

  private void gradientReady(Batch batch, GradientResult computed) {
    if (!Double.isFinite(computed.lossSum())) {
      throw new DivergedException(
          rank, batch.epoch(), completedRounds, computed.lossSum() / batch.size());
    }
    result = computed;
    contribution = Optional.of(new Contribution(completedRounds, gradient, batch.size()));
    state = State.READY;
    advance();
  }

  private void scored(int epoch, Learner.Score score) {
    host.epochEvaluated(epoch, completedRounds, score);
    if (hasTarget) {
      state = State.AWAITING_VERDICT;
      host.askVerdict(epoch, score);
    } else {
      closeEpoch();
    }
  }

  @Override
  public void verdict(int epoch, boolean stop) {
    if (state != State.AWAITING_VERDICT || openEpoch.orElse(-1) != epoch) {
      throw new IllegalStateException("verdict on epoch " + epoch + " while " + state);
    }
    if (stop) {
      // The epoch stays open: a run that is restored from here asks again and stops again.
      end();
    } else {
      closeEpoch();
    }
  }

  private void closeEpoch() {
    openEpoch = OptionalInt.empty();
    state = State.IDLE;
    roundBeganNanos = host.nowNanos();
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
      case COMPUTING, EXCHANGING, SCORING, AWAITING_VERDICT, DONE -> {}
    }
  }

  private void advanceIdle() {
    // Asynchronous updates never end, and a copy is evaluated.
    boolean mayRead = exchange.mayCompute() || !exchange.isSynchronous();
    if (openEpoch.isPresent() && mayRead) {
      int epoch = openEpoch.getAsInt();
      state = State.SCORING;
      host.evaluate(weightsToRead(), score -> scored(epoch, score));
    } else if (openEpoch.isEmpty() && !batches.isEmpty() && exchange.mayCompute()) {
      compute(batches.peek());
    } else if (openEpoch.isEmpty() && batches.isEmpty() && exhausted) {
      end();
    }
  }

  private void end() {
    state = State.ENDING;
    // A verdict may come while frozen, when nothing may begin: not a flush either.
    advance();
  }

  private void flushAndEnd() {
    exchange.flush();
    if (exchange.isQuiet()) {
      state = State.DONE;
      host.done(completedRounds);
    }
  }

  /** For the compute thread. Asynchronous updates come while it reads; others do not. */
  private float[] weightsToRead() {
    if (exchange.isSynchronous()) {
      return model.weights();
    }
    System.arraycopy(model.weights(), 0, snapshot, 0, snapshot.length);
    return snapshot;
  }

  private void compute(Batch batch) {
    state = State.COMPUTING;
    if (batch.size() == 0) {
      // Other ranks have samples left in this round and need this rank's empty share.
      Arrays.fill(gradient, 0);
      gradientReady(batch, new GradientResult(0, 0));
    } else {
      host.computeGradient(
          batch, weightsToRead(), gradient, computed -> gradientReady(batch, computed));
    }
  }

  private void contribute() {
    state = State.EXCHANGING;
    contributedNanos = host.nowNanos();
    exchange.contribute(contribution.orElseThrow());
    exchangeCalled();
  }

  private void exchangeCalled() {
    while (completedRounds < exchange.completedRounds()) {
      roundDone();
    }
    advance();
  }

  private void roundDone() {
    long now = host.nowNanos();
    Batch batch = batches.remove();
    long round = completedRounds++;
    contribution = Optional.empty();
    state = State.IDLE;
    host.batchConsumed();
    host.roundDone(
        batch,
        round,
        result.lossSum(),
        new RoundTimes(
            result.nanos(),
            now - contributedNanos,
            contributedNanos - roundBeganNanos - result.nanos()));
    roundBeganNanos = now;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.of(batch.epoch());
      endedEpochs = batch.epoch() + 1;
    }
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public long completedRounds() {
    return exchange.isSynchronous() ? exchange.jointRounds() : 0;
  }

  @Override
  public boolean servesWhileHeld() {
    return exchange.servesWhileHeld();
  }

  @Override
  public void freeze() {
    frozen = true;
    frozenNanos = host.nowNanos();
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
    if (state == State.EXCHANGING) {
      state = State.READY;
    }
  }

  @Override
  public void resume() {
    frozen = false;
    host.paused(host.nowNanos() - frozenNanos);
    begin();
  }

  @Override
  public void finish() {
    host.finish(model, completedRounds);
  }

  Model replica() {
    return model;
  }

  Exchange exchange() {
    return exchange;
  }

  /** How many rounds are complete at this rank. */
  long rounds() {
    return completedRounds;
  }

  /** The epoch that has ended but is not closed. */
  OptionalInt openEpoch() {
    return openEpoch;
  }

  /** How many epochs have ended at this rank. */
  int endedEpochs() {
    return endedEpochs;
  }

  // ---- the exchange's port -------------------------------------------------------------------

  @Override
  public long nowNanos() {
    return host.nowNanos();
  }

  @Override
  public void send(Message message) {
    host.send(message);
  }

  @Override
  public void wakeAt(long nanos) {
    host.wakeAt(nanos);
  }

  @Override
  public float[][] model() {
    return model.vectors();
  }

  @Override
  public void update(Update update) {
    model.apply(update);
  }
}
