package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.OrderedSums;
import dev.braid.exchange.collective.ShardedUpdate;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Weights;
import dev.braid.vector.Range;
import java.util.Arrays;

/** The server's side of {@link SynchronousServers}: sums in the order of the ranks, and steps. */
final class SynchronousServer {

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final int index;
  private final Range range;
  private final OrderedSums sums;
  private final ShardedUpdate update;

  private int finishedChunks;
  private long round;

  SynchronousServer(ExchangeConfig config, ServerLayout layout, Port port) {
    this.config = config;
    this.layout = layout;
    this.port = port;
    this.index = layout.serverAt(config.rank());
    this.range = layout.range(index);
    int[] lengths = new int[layout.chunks(index)];
    Arrays.setAll(lengths, chunk -> layout.chunk(index, chunk).length());
    this.sums = new OrderedSums(lengths, layout.workers());
    this.update = new ShardedUpdate(port);
    this.round = config.completedRounds();
  }

  Range range() {
    return range;
  }

  /** Rounds that are complete here. */
  long completedRounds() {
    return round;
  }

  /** Rounds that cannot be rolled back any more. */
  long begunRounds() {
    return finishedChunks > 0 ? round + 1 : round;
  }

  /** Takes a part of a worker's gradient. */
  void push(int from, long ofRound, Gradient gradient) {
    if (ofRound != round || !layout.isWorker(from)) {
      throw new IllegalStateException(
          "gradient of round "
              + ofRound
              + " from rank "
              + from
              + " while round "
              + round
              + " of "
              + layout.workers()
              + " workers is under way");
    }
    int chunk = (gradient.range().start() - range.start()) / layout.chunkLength();
    if (sums.add(chunk, from, gradient.payload(), gradient.samples())) {
      finish(chunk);
    }
  }

  private void finish(int chunk) {
    Range at = layout.chunk(index, chunk);
    Payload stepped = update.step(at, sums.sum(chunk), sums.samples(chunk));
    Weights weights = new Weights(at, stepped);
    for (int worker = 0; worker < layout.workers(); worker++) {
      // They stay until all workers have contributed to the next round, and so have had them.
      port.handOver(new Message(config.rank(), worker, round, weights));
    }
    sums.clear(chunk);
    finishedChunks++;
    if (finishedChunks == layout.chunks(index)) {
      round++;
      finishedChunks = 0;
    }
  }

  /** Forgets the round under way, none of whose chunks is complete. */
  void rollBack() {
    if (finishedChunks > 0) {
      throw new IllegalStateException(
          "round "
              + round
              + " is applied over "
              + finishedChunks
              + " chunks: it cannot be rolled back");
    }
    sums.clear();
  }

  /** Goes on from a checkpoint. */
  void goOnAfter(long rounds) {
    round = rounds;
  }
}
