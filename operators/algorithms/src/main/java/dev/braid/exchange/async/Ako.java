package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Share.Adopt;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Rates;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Outbox;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ako: partial gradient exchange (Ako §3, Algorithm 1).
 *
 * <p>The gradient is divided into p disjoint ranges. In each round every peer is sent one range,
 * round-robin, so that after p rounds each peer has been sent all of them. Until a range is due,
 * the gradients over it are accumulated. So a rank sends (n − 1)/p vectors per round, and p is
 * chosen such that the network can carry them ({@link dev.braid.cost.BandwidthCost}). Gradients
 * take up to p rounds to reach all ranks, but nothing queues up on the way.
 *
 * <pre>
 *   group of peers │ round 0   1   2   3        p = 3, four peers in three groups
 *         0        │ range 0   1   2   0
 *         1        │       1   2   0   1
 *         2        │       2   0   1   2
 * </pre>
 *
 * <p>At any moment a peer has, over each range, the sum of exactly this rank's gradients up to some
 * round, which differs by range ({@link Accumulators}). This also holds while p changes ({@link
 * PartitionPlan}): an unsent sum is then sent with whichever new range contains it. Without
 * accumulation ({@code accumulation=off}, §5.7) a peer has only what was sent to it in the round of
 * each gradient.
 *
 * <p>The staleness bound is p + τ (§3.3), where τ is {@linkplain ExchangeOptions#STALENESS
 * staleness}, by default the number of workers. A rank waits while it is more than that many
 * gradients ahead of the slowest rank, according to the rounds in the messages received. Absent
 * peers do not count.
 */
public final class Ako extends AsynchronousExchange {

  /** The number of partitions, p, and its pending change. */
  static final StateKind PARTITIONS = StateKind.ofTheseRanks("partitions", 1);

  private final PartitionPlan plan;
  private final boolean accumulation;

  private final DeferredSteps deferred;

  private Accumulators accumulators;
  private boolean flushing;
  private boolean ended;

  public Ako(ExchangeConfig config, Port port) {
    super(config, port);
    this.plan = new PartitionPlan(config, port, outbox());
    this.accumulation = AkoOptions.of(config.options()).accumulation();
    this.deferred = new DeferredSteps(config.length());
    begin();
  }

  /** Replaces the accumulators with empty ones for the p in force. */
  private void begin() {
    accumulators = new Accumulators(config(), plan.inForce(), accumulation);
  }

  @Override
  long stalenessBound() {
    return (long) plan.inForce() + config().options().get(ExchangeOptions.STALENESS);
  }

  @Override
  void applyOwn(Contribution local) {
    super.applyOwn(local);
    if (accumulation) {
      accumulators.add(local.gradient(), local.samples());
    }
  }

  @Override
  void share(Contribution local) {
    plan.computed();
    flushing = false;
    plan.due(local.round())
        .ifPresent(
            partitions -> {
              accumulators.repartition(partitions);
              plan.putInForce(local.round());
            });
    long before = port().nowNanos();
    if (accumulation) {
      sendTurn(false, local.round());
    } else {
      sendAlone(local);
    }
    deferred.applyNext(this::applyDeferred);
    plan.tookNanos(port().nowNanos() - before);
    plan.measureAndDecide(local.round());
  }

  /**
   * Sends each group of peers its next range.
   *
   * @param flushed whether the turn belongs to a flush; in a turn after a gradient, peers for which
   *     nothing is accumulated over their range are sent the round
   * @param round the round of the latest gradient
   */
  private void sendTurn(boolean flushed, long round) {
    Outbox.Content content =
        (range, samples, values) -> new Gradient(range, samples, flushed, values);
    for (int i = 0; i < accumulators.count(); i++) {
      boolean[] peers = accumulators.peers(i);
      long samples = accumulators.samples(i);
      if (samples > 0) {
        outbox()
            .postKept(
                content,
                peers,
                round,
                accumulators.range(i),
                samples,
                accumulators.prepareUnsent(i));
      } else if (!flushed) {
        outbox().postRound(peers, round);
      }
    }
    accumulators.markPosted();
  }

  /**
   * Sends only this round's gradient. Without accumulation, gradients over other ranges are
   * discarded (§5.7).
   */
  private void sendAlone(Contribution local) {
    for (int i = 0; i < accumulators.count(); i++) {
      outbox()
          .post(
              accumulators.peers(i),
              local.round(),
              accumulators.range(i),
              local.samples(),
              local.gradient());
    }
    accumulators.markPosted();
  }

  @Override
  void apply(Body.OverRange shared) {
    long before = port().nowNanos();
    if (shared instanceof Gradient gradient && gradient.flushed() && !ended) {
      deferred.add(gradient, plan.inForce());
    } else {
      super.apply(shared);
    }
    plan.tookNanos(port().nowNanos() - before);
  }

  private void applyDeferred(DeferredSteps.Part part) {
    port().update(step(part));
  }

  private Update.GradientSum step(DeferredSteps.Part part) {
    return step(part.range(), part.values(), part.samples());
  }

  @Override
  public List<Update.GradientSum> deferredSteps() {
    return deferred.parts().stream().map(this::step).toList();
  }

  @Override
  public void end() {
    // This rank computes no further gradients that could benefit from deferred steps.
    ended = true;
    deferred.applyAll(this::applyDeferred);
    flush();
  }

  @Override
  public void flush() {
    flushing = true;
    flushOn();
  }

  /** Sends one turn after another: the outbox takes a peer's next range when all before is sent. */
  private void flushOn() {
    while (flushing && outbox().isSent()) {
      accumulators.endTurn();
      if (accumulators.isSentToPresent()) {
        flushing = !accumulators.isAllSent();
        return;
      }
      sendTurn(true, completedRounds() - 1);
    }
  }

  @Override
  CatchUp catchUps() {
    return accumulators;
  }

  @Override
  void catchUp() {
    long before = port().nowNanos();
    super.catchUp();
    plan.tookNanos(port().nowNanos() - before);
  }

  @Override
  public void resume() {
    flushing = false;
    super.resume();
  }

  @Override
  public boolean isQuiet() {
    return super.isQuiet() && accumulators.isAllSent();
  }

  @Override
  void afterEachCall() {
    if (outbox().isSent()) {
      accumulators.endTurn();
    }
    flushOn();
    plan.note(mayCompute());
  }

  @Override
  void control(Message message) {
    if (message.body() instanceof Rates rates) {
      plan.store(message.from(), message.round(), rates);
    } else if (message.body() instanceof Adopt adopt) {
      plan.schedule(adopt);
    } else {
      super.control(message);
    }
  }

  @Override
  int partitions() {
    return plan.inForce();
  }

  /**
   * Adds the bandwidth cost model's figures and the number of vectors kept: at most min(p, n − 1) +
   * 2 when p has been in force for p rounds and no peer is absent. Otherwise at most n + 1, as
   * there is at most one accumulator for each peer. Copies of messages in flight are not counted.
   */
  @Override
  public void addFigures(FigureValues to) {
    super.addFigures(to);
    to.add(Figure.KEPT_VECTORS, accumulators.vectors() + deferred.vectors());
    plan.addFigures(to);
  }

  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>(super.states());
    states.add(new LastingState(PARTITIONS, plan::write, this::readPartitions));
    return states;
  }

  private void readPartitions(DataInput in) throws IOException {
    plan.read(in);
    begin();
  }
}
