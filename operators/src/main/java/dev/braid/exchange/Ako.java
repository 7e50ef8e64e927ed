package dev.braid.exchange;

import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * Ako: partial gradient exchange (Ako §3, Algorithm 1).
 *
 * <p>The gradient is cut into p disjoint ranges. In each round every peer is sent one of them,
 * round-robin, so that after p rounds each has had all; what a range has to wait for is added up
 * meanwhile. So a rank sends (n − 1)/p vectors a round, and p is chosen such that the network bears
 * it ({@link dev.braid.cost.BandwidthCost}): gradients take up to p rounds to reach all, but
 * nothing queues up on the way.
 *
 * <pre>
 *   group of peers │ round 0   1   2   3        p = 3, four peers in three groups
 *         0        │ range 0   1   2   0
 *         1        │       1   2   0   1
 *         2        │       2   0   1   2
 * </pre>
 *
 * <p>What a peer receives over time is exactly what was computed: at each moment all gradients up
 * to some round, over each range. That holds while p changes, too: from the round that {@link
 * PartitionPlan} names, new gradients are added up apart; when the old ranges have gone around once
 * more, all peers lack the same, and the new ranges begin.
 *
 * <p>The staleness bound is p + τ (§3.3): a rank that hears of no new gradients of some other
 * waits.
 */
final class Ako extends AsynchronousExchange {

  private final PartitionPlan plan;
  private final boolean accumulation;

  /** By group, which peers are in it: peer number i after this rank is in group i mod p. */
  private boolean[][] groups;

  private Accumulators unsent;

  /** What was computed since another p is due, while the old ranges go around once more. */
  private Optional<Accumulators> since = Optional.empty();

  /** Group g gets range (g + turn) mod p. */
  private int turn;

  private boolean flushing;

  Ako(ExchangeConfig config, Port port) {
    super(config, port);
    this.plan = new PartitionPlan(config, port, outbox());
    this.accumulation = config.options().ako().accumulation();
    begin();
  }

  /** With the p that is in force, and nothing unsent. */
  private void begin() {
    int partitions = plan.inForce();
    int ranks = config().ranks();
    groups = new boolean[Math.min(partitions, ranks - 1)][ranks];
    for (int i = 1; i < ranks; i++) {
      groups[(i - 1) % partitions][(config().rank() + i) % ranks] = true;
    }
    unsent = new Accumulators(config().length(), accumulation ? groups.length : 0, partitions);
    turn = 0;
  }

  @Override
  long stalenessBound() {
    return (long) plan.inForce() + config().options().staleness();
  }

  @Override
  void share(Contribution local) {
    plan.computed();
    flushing = false;
    if (since.isEmpty() && plan.due(local.round()).isPresent()) {
      since = Optional.of(new Accumulators(config().length(), accumulation ? 1 : 0, 1));
    }
    if (local.samples() > 0) {
      since.orElse(unsent).add(local.gradient(), local.samples());
    }
    if (accumulation) {
      sendTurn(local.round(), true);
    } else {
      sendAlone(local);
    }
    changeIfAllIsSent();
    plan.shared(local.round(), slowestClock());
  }

  /**
   * Sends each group its next range.
   *
   * @param tellRound whether peers for which there is nothing are told the round
   */
  private void sendTurn(long round, boolean tellRound) {
    for (int group = 0; group < groups.length; group++) {
      int partition = (group + turn) % unsent.partitions();
      long samples = unsent.samples(group, partition);
      if (samples > 0 || tellRound) {
        Range range = unsent.range(partition);
        outbox().post(groups[group], round, range, samples, unsent.sum(group));
      }
      unsent.clear(group, partition);
    }
    turn = (turn + 1) % unsent.partitions();
  }

  /** Without accumulation: what is not sent in its own round never is (§5.7). */
  private void sendAlone(Contribution local) {
    for (int group = 0; group < groups.length; group++) {
      Range range = unsent.range((group + turn) % unsent.partitions());
      outbox().post(groups[group], local.round(), range, local.samples(), local.gradient());
    }
    turn = (turn + 1) % unsent.partitions();
  }

  private void changeIfAllIsSent() {
    if (since.isPresent() && unsent.isClean()) {
      Accumulators waiting = since.get();
      since = Optional.empty();
      plan.changed();
      begin();
      if (accumulation) {
        unsent.addAll(waiting);
      }
    }
  }

  @Override
  public void flush() {
    flushing = true;
    flushOn();
  }

  /** One turn at a time: the outbox has room for one. */
  private void flushOn() {
    while (flushing && outbox().isSent()) {
      changeIfAllIsSent();
      if (unsent.isClean()) {
        flushing = false;
      } else {
        sendTurn(completedRounds() - 1, false);
      }
    }
  }

  @Override
  public boolean isQuiet() {
    return super.isQuiet() && unsent.isClean() && since.map(Accumulators::isClean).orElse(true);
  }

  @Override
  void called() {
    flushOn();
    plan.mayCompute(mayCompute());
  }

  @Override
  void control(Message message) {
    switch (message.kind()) {
      case PROPOSE -> plan.hear(message.from(), message.round(), (int) message.samples());
      case ADOPT -> plan.adopt(message.round(), (int) message.samples());
      default -> super.control(message);
    }
  }

  /** Vectors of the model's length that are kept for others. */
  int vectors() {
    return unsent.groups() + since.map(Accumulators::groups).orElse(0) + outbox().vectors();
  }

  @Override
  public int partitions() {
    return plan.inForce();
  }

  @Override
  public void writeState(DataOutput out) throws IOException {
    super.writeState(out);
    plan.write(out);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    super.readState(in);
    plan.read(in);
    begin();
  }
}
