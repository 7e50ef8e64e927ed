package dev.braid.exchange.fttree;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Deadlines;
import dev.braid.exchange.Deadlines.Deadline;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Message.Kind;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fault-tolerant tree as its paper has it (<em>fault-tolerant tree</em>, ch. 6, Algorithms 1
 * and 2): data on the links of a binary tree, metadata on the links to brother and uncle. These two
 * hear from the sender that it has sent and from the receiver that it has received; where the
 * second does not follow the first within a fixed time-out, they fetch the subtree's sum and pass
 * it on, or, on the way down, send the finished sum that they have themselves.
 *
 * <p>Nothing is remembered from one round to the next: a link that stays cut costs a time-out in
 * each phase of every round, and failures on consecutive levels add up (Tables 1 and 2).
 *
 * <p>More than the paper says: the vector travels in chunks, as in {@code tree}, with the metadata
 * for a vector as a whole; time-outs repeat; and a rank whose round stands still sends again, so
 * that a round goes on after links have healed that left no way for a while.
 */
public final class FaultTolerantTree implements Exchange {

  /** A round that makes no progress for so many time-outs is past what backups can do. */
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

  /** By rank that this rank is a backup of. */
  private final Map<Integer, Watch> reduceWatches = new TreeMap<>();

  private final Map<Integer, Watch> broadcastWatches = new TreeMap<>();

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
    switch (message.kind()) {
      case DATA_REDUCE -> reduce(message);
      case DATA_REDUCE_REQUEST -> passOn(message);
      case META_REDUCE_REQUEST -> sendUpThrough(message.from(), message.round());
      case META_REDUCE_SENT -> sent(reduceWatches, message.from(), message.round());
      case META_REDUCE_RECEIVED ->
          received(reduceWatches, (int) message.samples(), message.round());
      case DATA_BCAST -> broadcast(message);
      case META_BCAST_SENT -> sent(broadcastWatches, (int) message.samples(), message.round());
      case META_BCAST_RECEIVED -> received(broadcastWatches, message.from(), message.round());
      default -> throw message.unexpected();
    }
    arm();
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void rollBack() {
    reduction.rollBack();
    reduceWatches.values().forEach(watch -> watch.rollBack(reduction.round()));
    broadcastWatches.values().forEach(watch -> watch.rollBack(reduction.round()));
    stalledNanos = Deadlines.NEVER;
    arm();
    deadlines.askAgain();
  }

  // ---- reduce, Algorithm 1 ---------------------------------------------------------------------

  private void reduce(Message message) {
    int child = tree.indexAtParent(message.origin());
    int chunk = reduction.chunkOf(message);
    if (reduction.hasFinal(message.round(), chunk) && message.round() < reduction.round()) {
      // The child's round stands still: it lacks the sum.
      sendDown(message.origin(), message.round(), chunk);
    }
    if (!reduction.offer(child, message)) {
      return;
    }
    progressed();
    if (reduction.hasAll(child, message.round())) {
      tellGuards(Kind.META_REDUCE_RECEIVED, message.origin(), message.round());
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
    sendPartial(parent, Kind.DATA_REDUCE, chunk, Transit.NONE);
    chunksSentUp++;
    if (chunksSentUp == reduction.chunks()) {
      tellBackups(Kind.META_REDUCE_SENT);
    }
  }

  private void sendUpThrough(int backup, long round) {
    if (round != reduction.round()) {
      return;
    }
    Transit transit = Transit.along(Route.of(rank, backup, tree.parent(rank)));
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (reduction.isPartial(chunk)) {
        sendPartial(backup, Kind.DATA_REDUCE_REQUEST, chunk, transit);
      }
    }
  }

  private void sendPartial(int to, Kind kind, int chunk, Transit transit) {
    port.send(
        new Message(
            rank,
            to,
            kind,
            reduction.round(),
            reduction.chunk(chunk),
            reduction.samples(chunk),
            reduction.partial(chunk),
            transit));
  }

  private void passOn(Message m) {
    int next = m.transit().route().next(rank);
    port.send(
        new Message(
            rank,
            next,
            Kind.DATA_REDUCE,
            m.round(),
            m.range(),
            m.samples(),
            m.values(),
            m.transit()));
    m.values().release();
  }

  // ---- broadcast, Algorithm 2 ------------------------------------------------------------------

  private void broadcast(Message message) {
    if (reduction.finish(message)) {
      progressed();
      sendDownToAll(reduction.chunkOf(message));
      completeIfDone();
    }
    message.values().release();
  }

  private void sendDownToAll(int chunk) {
    for (int i = 0; i < tree.childCount(rank); i++) {
      sendDown(tree.child(rank, i), reduction.round(), chunk);
    }
  }

  private void sendDown(int to, long round, int chunk) {
    port.send(
        new Message(
            rank,
            to,
            Kind.DATA_BCAST,
            round,
            reduction.chunk(chunk),
            reduction.finalSamples(round, chunk),
            reduction.finalSum(round, chunk)));
  }

  private void completeIfDone() {
    if (!reduction.isComplete()) {
      return;
    }
    long round = reduction.round();
    stalledNanos = Deadlines.NEVER;
    tellBackups(Kind.META_BCAST_RECEIVED);
    for (int i = 0; i < tree.childCount(rank); i++) {
      tellGuards(Kind.META_BCAST_SENT, tree.child(rank, i), round);
    }
    // What others have to say of this round may come later, and then about the round before.
    reduction.complete(port);
  }

  // ---- metadata --------------------------------------------------------------------------------

  private void tellBackups(Kind kind) {
    for (int backup : overlay.backups(rank)) {
      tell(backup, kind, reduction.round(), rank);
    }
  }

  /** Tells the two that guard the link to a child: the other child, and this rank's brother. */
  private void tellGuards(Kind kind, int child, long round) {
    for (int guard : overlay.backups(child)) {
      tell(guard, kind, round, child);
    }
  }

  private void tell(int to, Kind kind, long round, int about) {
    port.send(new Message(rank, to, kind, round, Range.EMPTY, about, Slice.EMPTY));
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
          // A sum that is complete here has what the sender sent.
          watch.received(reduction.round() - 1);
          if (watch.isDue(now)) {
            tell(sender, Kind.META_REDUCE_REQUEST, watch.sentRound(), sender);
          }
        });
    broadcastWatches.forEach(
        (receiver, watch) -> {
          // A round is not complete without a rank that lacks the sum of the round before.
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
      if (reduction.isPartial(chunk)) {
        sendPartial(tree.parent(rank), Kind.DATA_REDUCE, chunk, Transit.NONE);
      }
    }
    tellBackups(Kind.META_REDUCE_SENT);
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
