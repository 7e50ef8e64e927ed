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

/** The server's side of {@link SynchronousServers}: adds up gradients by rank and takes steps. */
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

  /** Returns the number of rounds that are complete at this server. */
  long completedRounds() {
    return round;
  }

  /** Returns the number of rounds that cannot be rolled back. */
  long begunRounds() {
    return finishedChunks > 0 ? round + 1 : round;
  }

  /**
   * Takes a chunk of a worker's gradient.
   *
   * @throws IllegalStateException if it belongs to another round or comes from no worker
   */
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
      // The weights stay unchanged until all workers have contributed to the next round, and so
      // have received them.
      port.handOver(new Message(config.rank(), worker, round, weights));
    }
    sums.clear(chunk);
    finishedChunks++;
    if (finishedChunks == layout.chunks(index)) {
      round++;
      finishedChunks = 0;
    }
  }

  /**
   * Discards the current round.
   *
   * @throws IllegalStateException if a chunk of the round is complete
   */
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

  /** Resumes from a checkpoint after this number of complete rounds. */
  void resumeAfter(long rounds) {
    round = rounds;
  }
}
