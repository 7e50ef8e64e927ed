package dev.braid.exchange.fttree;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.message.TreeNotice;
import dev.braid.exchange.message.TreeNotice.BroadcastReceived;
import dev.braid.exchange.message.TreeNotice.BroadcastSent;
import dev.braid.exchange.message.TreeNotice.ReduceReceived;
import dev.braid.exchange.message.TreeNotice.ReduceRequest;
import dev.braid.exchange.message.TreeNotice.ReduceSent;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fault-tolerant tree as described in its paper (<em>fault-tolerant tree</em>, ch. 6,
 * Algorithms 1 and 2): data on the links of a binary tree, metadata on the links to brother and
 * uncle. The sender notifies these two that it has sent, and the receiver notifies them that it has
 * received. If the second notice does not follow the first within a fixed time-out, brother and
 * uncle fetch the subtree's sum and pass it on; on the way down, they send their own copy of the
 * finished sum.
 *
 * <p>Nothing is remembered from one round to the next: a link that stays cut costs a time-out in
 * each phase of every round, and failures on consecutive levels add up (Tables 1 and 2).
 *
 * <p>Additions to the paper: the vector is sent in chunks, as in {@code tree}, with metadata for
 * the vector as a whole; time-outs repeat; and a rank whose round makes no progress retransmits, so
 * that the round continues after links heal that had left no route.
 */
public final class FaultTolerantTree implements Synchronous {

  /** Number of time-outs without progress after which backups cannot save a round. */
  private static final int STALLED_TIMEOUTS = 4;

  private static final int MAX_DOUBLINGS = 20;

  private final int rank;
  private final int ranks;
  private final Port port;
  private final BackupTree overlay;
  private final BinaryTree tree;
  private final TreeReduction reduction;
  private final long timeoutNanos;
  private final Deadlines deadlines;
  private final Deadline deadline;

  /** Watches of transfers up the tree, by sender; this rank is a backup of each sender. */
  private final Map<Integer, Watch> reduceWatches = new TreeMap<>();

  /** Watches of transfers down the tree, by receiver; this rank is a backup of each receiver. */
  private final Map<Integer, Watch> broadcastWatches = new TreeMap<>();

  /** Whether messages of the current round are dropped, as they were sent before its rollback. */
  private boolean isRolledBack;

  private int chunksSentUp;
  private long stalledNanos = Deadlines.NEVER;
  private int stalls;

  public FaultTolerantTree(ExchangeConfig config, Port port, long timeoutNanos) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.port = port;
    this.overlay = new BackupTree(ranks);
    this.tree = overlay.tree();
    this.reduction = new TreeReduction(config);
    this.timeoutNanos = timeoutNanos;
    this.deadlines = new Deadlines(port);
    this.deadline = deadlines.of(this::timedOut);
    overlay.brother(rank).ifPresent(this::guard);
    for (int nephew : overlay.nephews(rank)) {
      guard(nephew);
    }
  }

  private void guard(int other) {
    reduceWatches.put(other, new Watch(timeoutNanos));
    broadcastWatches.put(other, new Watch(timeoutNanos));
  }

  @Override
  public boolean mayCompute() {
    return !reduction.underWay();
  }

  @Override
  public long completedRounds() {
    return reduction.round();
  }

  @Override
  public void contribute(Contribution local) {
    reduction.begin(local);
    chunksSentUp = 0;
    progressed();
    if (ranks == 1) {
      reduction.finishAlone();
    } else if (tree.childCount(rank) == 0) {
      for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
        sendUp(chunk);
      }
    } else {
      for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
        addUp(chunk);
      }
    }
    completeIfDone();
    arm();
  }

  @Override
  public void receive(Message message) {
    if (isRolledBack && message.round() >= reduction.round()) {
      message.release();
    } else if (message.body() instanceof Sum sum) {
      receive(message, sum);
    } else if (message.body() instanceof TreeNotice notice) {
      receive(message.from(), message.round(), notice);
    } else {
      throw message.unexpected();
    }
    arm();
  }

  private void receive(Message message, Sum sum) {
    switch (sum.kind()) {
      case PARTIAL -> reduce(message, sum);
      case TO_RELAY -> passOn(message, sum);
      case FINISHED -> broadcast(message.round(), sum);
      case OF_BROTHER, OF_BOTH -> throw message.unexpected();
    }
  }

  private void receive(int from, long round, TreeNotice notice) {
    if (notice instanceof ReduceRequest) {
      sendUpThrough(from, round);
    } else if (notice instanceof ReduceSent) {
      sent(reduceWatches, from, round);
    } else if (notice instanceof ReduceReceived received) {
      received(reduceWatches, received.child(), round);
    } else if (notice instanceof BroadcastSent sent) {
      sent(broadcastWatches, sent.child(), round);
    } else if (notice instanceof BroadcastReceived) {
      received(broadcastWatches, from, round);
    } else {
      throw new IllegalArgumentException(
          notice + " from rank " + from + ": not a notice of this exchange");
    }
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void rollBack() {
    isRolledBack = true;
    reduction.rollBack();
    reduceWatches.values().forEach(watch -> watch.rollBack(reduction.round()));
    broadcastWatches.values().forEach(watch -> watch.rollBack(reduction.round()));
    stalledNanos = Deadlines.NEVER;
    arm();
    deadlines.askAgain();
  }

  @Override
  public void resume() {
    isRolledBack = false;
  }

  // ---- reduce, Algorithm 1 ---------------------------------------------------------------------

  private void reduce(Message message, Sum sum) {
    int child = tree.indexAtParent(message.origin());
    int chunk = reduction.chunkOf(sum);
    if (reduction.hasFinal(message.round(), chunk) && message.round() < reduction.round()) {
      // The child's round makes no progress, because it lacks the finished sum.
      sendDown(message.origin(), message.round(), chunk);
    }
    if (!reduction.offer(child, message.round(), sum)) {
      return;
    }
    progressed();
    if (reduction.hasAll(child, message.round())) {
      tellGuards(new ReduceReceived(message.origin()), message.origin(), message.round());
    }
    if (message.round() == reduction.round()) {
      addUp(chunk);
      completeIfDone();
    }
  }

  private void addUp(int chunk) {
    if (!reduction.add(chunk)) {
      return;
    }
    if (rank == BinaryTree.ROOT) {
      sendDownToAll(chunk);
    } else {
      sendUp(chunk);
    }
  }

  private void sendUp(int chunk) {
    int parent = tree.parent(rank);
    sendPartial(parent, Sum.Kind.PARTIAL, chunk, Transit.NONE);
    chunksSentUp++;
    if (chunksSentUp == reduction.chunks()) {
      tellBackups(new ReduceSent());
    }
  }

  private void sendUpThrough(int backup, long round) {
    if (round != reduction.round()) {
      return;
    }
    Transit transit = Transit.along(Route.of(rank, backup, tree.parent(rank)));
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (reduction.mayBeSentUp(chunk)) {
        sendPartial(backup, Sum.Kind.TO_RELAY, chunk, transit);
      }
    }
  }

  private void sendPartial(int to, Sum.Kind kind, int chunk, Transit transit) {
    Sum sum = reduction.subtreeSum(chunk).as(kind);
    port.send(new Message(rank, to, reduction.round(), transit, sum));
  }

  private void passOn(Message message, Sum sum) {
    port.send(message.passedOnBy(rank, sum.as(Sum.Kind.PARTIAL)));
    message.release();
  }

  // ---- broadcast, Algorithm 2 ------------------------------------------------------------------

  private void broadcast(long round, Sum sum) {
    if (reduction.finish(round, sum)) {
      progressed();
      sendDownToAll(reduction.chunkOf(sum));
      completeIfDone();
    }
    sum.payload().release();
  }

  private void sendDownToAll(int chunk) {
    for (int i = 0; i < tree.childCount(rank); i++) {
      sendDown(tree.child(rank, i), reduction.round(), chunk);
    }
  }

  private void sendDown(int to, long round, int chunk) {
    port.send(new Message(rank, to, round, reduction.finalSum(round, chunk)));
  }

  private void completeIfDone() {
    if (!reduction.isComplete()) {
      return;
    }
    long round = reduction.round();
    stalledNanos = Deadlines.NEVER;
    tellBackups(new BroadcastReceived());
    for (int i = 0; i < tree.childCount(rank); i++) {
      tellGuards(new BroadcastSent(tree.child(rank, i)), tree.child(rank, i), round);
    }
    // Notices of other ranks about this round may still arrive; they then concern the last round.
    reduction.complete(port);
  }

  // ---- metadata --------------------------------------------------------------------------------

  private void tellBackups(TreeNotice notice) {
    for (int backup : overlay.backups(rank)) {
      tell(backup, notice, reduction.round());
    }
  }

  /** Notifies the guards of the link to a child: the other child and this rank's brother. */
  private void tellGuards(TreeNotice notice, int child, long round) {
    for (int guard : overlay.backups(child)) {
      tell(guard, notice, round);
    }
  }

  private void tell(int to, TreeNotice notice, long round) {
    port.send(new Message(rank, to, round, notice));
  }

  private void sent(Map<Integer, Watch> watches, int about, long round) {
    watches.get(about).sent(round, port.nowNanos());
  }

  private static void received(Map<Integer, Watch> watches, int about, long round) {
    watches.get(about).received(round);
  }

  // ---- time-outs -------------------------------------------------------------------------------

  @Override
  public void deadline() {
    deadlines.deadline();
  }

  private void timedOut() {
    long now = port.nowNanos();
    reduceWatches.forEach(
        (sender, watch) -> {
          // A sum that is complete at this rank contains the sender's values.
          watch.received(reduction.round() - 1);
          if (watch.isDue(now)) {
            tell(sender, new ReduceRequest(), watch.sentRound());
          }
        });
    broadcastWatches.forEach(
        (receiver, watch) -> {
          // No round completes without all ranks, and a rank that lacks the sum of the round before
          // cannot contribute.
          watch.received(reduction.round() - 2);
          if (watch.isDue(now)) {
            sendAllDown(receiver, watch.sentRound());
          }
        });
    if (stalledNanos <= now) {
      stalls = Math.min(MAX_DOUBLINGS, stalls + 1);
      expectProgress();
      sendUpAgain();
    }
    arm();
  }

  private void sendAllDown(int to, long round) {
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (reduction.hasFinal(round, chunk)) {
        sendDown(to, round, chunk);
      }
    }
  }

  private void sendUpAgain() {
    if (rank == BinaryTree.ROOT) {
      return;
    }
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (reduction.mayBeSentUp(chunk)) {
        sendPartial(tree.parent(rank), Sum.Kind.PARTIAL, chunk, Transit.NONE);
      }
    }
    tellBackups(new ReduceSent());
  }

  private void progressed() {
    stalls = 0;
    if (reduction.underWay()) {
      expectProgress();
    }
  }

  private void expectProgress() {
    stalledNanos = port.nowNanos() + ((STALLED_TIMEOUTS * timeoutNanos) << stalls);
  }

  private void arm() {
    long next = stalledNanos;
    for (Watch watch : reduceWatches.values()) {
      next = Math.min(next, watch.deadlineNanos());
    }
    for (Watch watch : broadcastWatches.values()) {
      next = Math.min(next, watch.deadlineNanos());
    }
    deadline.at(next);
  }
}
