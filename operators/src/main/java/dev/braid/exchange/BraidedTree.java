package dev.braid.exchange;

import dev.braid.exchange.Message.Kind;
import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import dev.braid.vector.Slice;

/**
 * The fault-tolerant tree, better: the reduction of {@link TreeAllreduce} over the links of {@link
 * BackupTree}, on a {@link Transport} that finds ways around failed links by itself.
 *
 * <p>Beside the paper's algorithm ({@link FaultTolerantTree}): time-outs follow measured round
 * trips, the ends of a link notice a failure themselves, any number of failures is survived while a
 * way is left, and the way that was found is kept for later rounds. Without failures backup links
 * carry nothing at all.
 *
 * <p>Sums are in the same order as in the other trees, so the bits are the same.
 */
final class BraidedTree implements Exchange {

  /** Chunks that may be on their way between two ranks: enough to keep a link busy. */
  private static final int WINDOW_CHUNKS = 8;

  /** Any way of two links is cheaper than one of three. */
  private static final int PRIMARY_COST = 5;

  private static final int BACKUP_COST = 4;

  private final int rank;
  private final int ranks;
  private final BinaryTree tree;
  private final TreeReduction reduction;
  private final Port port;
  private final Transport transport;

  BraidedTree(ExchangeConfig config, Port port) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    BackupTree overlay = new BackupTree(ranks);
    this.tree = overlay.tree();
    this.reduction = new TreeReduction(config);
    this.port = port;
    long windowBytes = (long) WINDOW_CHUNKS * Float.BYTES * config.chunkLength();
    this.transport =
        new Transport(rank, port, overlay.neighbours(rank), this::cost, windowBytes, this::deliver);
  }

  /** Primary links are busy with data of their own: of two ways, the one over backups is better. */
  private int cost(Route route) {
    int cost = 0;
    for (int i = 1; i < route.size(); i++) {
      cost += isPrimary(route.rank(i - 1), route.rank(i)) ? PRIMARY_COST : BACKUP_COST;
    }
    return cost;
  }

  private boolean isPrimary(int one, int other) {
    int child = Math.max(one, other);
    return child != BinaryTree.ROOT && tree.parent(child) == Math.min(one, other);
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
    transport.goOn();
    reduction.begin(local);
    if (ranks == 1) {
      reduction.finishAlone();
    }
    for (int chunk = 0; chunk < reduction.chunks(); chunk++) {
      if (tree.childCount(rank) > 0) {
        addUp(chunk);
      } else if (ranks > 1) {
        sendUp(chunk);
      }
    }
    completeIfDone();
    transport.arm();
  }

  @Override
  public void receive(Message message) {
    transport.receive(message);
  }

  @Override
  public void deadline() {
    transport.deadline();
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void rollBack() {
    reduction.rollBack();
    transport.rollBack();
  }

  private void deliver(Message message) {
    switch (message.kind()) {
      case DATA_REDUCE -> reduce(message);
      case DATA_BCAST -> broadcast(message);
      default -> throw Allreduce.unexpected(message);
    }
  }

  private void reduce(Message message) {
    int chunk = reduction.chunkOf(message);
    boolean isNew = reduction.offer(tree.indexAtParent(message.origin()), message);
    if (isNew && message.round() == reduction.round()) {
      addUp(chunk);
      completeIfDone();
    }
  }

  private void addUp(int chunk) {
    if (!reduction.add(chunk)) {
      return;
    }
    if (rank == BinaryTree.ROOT) {
      sendDown(chunk);
    } else {
      sendUp(chunk);
    }
  }

  private void sendUp(int chunk) {
    send(
        tree.parent(rank),
        Kind.DATA_REDUCE,
        chunk,
        reduction.samples(chunk),
        reduction.partial(chunk));
  }

  private void broadcast(Message message) {
    if (reduction.finish(message)) {
      sendDown(reduction.chunkOf(message));
      completeIfDone();
    }
    message.values().release();
  }

  private void sendDown(int chunk) {
    long round = reduction.round();
    for (int i = 0; i < tree.childCount(rank); i++) {
      send(
          tree.child(rank, i),
          Kind.DATA_BCAST,
          chunk,
          reduction.finalSamples(round, chunk),
          reduction.finalSum(round, chunk));
    }
  }

  private void send(int to, Kind kind, int chunk, long samples, Slice values) {
    transport.send(
        new Message(rank, to, kind, reduction.round(), reduction.chunk(chunk), samples, values));
  }

  private void completeIfDone() {
    if (reduction.isComplete()) {
      reduction.complete(port);
    }
  }
}
