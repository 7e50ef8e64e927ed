package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Weights;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;

/** The server's side of {@link SynchronousServers}: sums in the order of the ranks, and steps. */
final class SynchronousServer {

  private final ExchangeConfig config;
  private final ServerLayout layout;
  private final Port port;
  private final int index;
  private final Range range;
  private final float[][] sums;

  /** Per chunk: how many workers' gradients are in the sum, and over how many samples. */
  private final int[] added;

  private final long[] samples;

  /** Per chunk and worker: a gradient that is not in the sum yet; or null. */
  private final Gradient[][] waiting;

  private int finishedChunks;
  private long round;

  SynchronousServer(ExchangeConfig config, ServerLayout layout, Port port) {
    this.config = config;
    this.layout = layout;
    this.port = port;
    this.index = layout.serverAt(config.rank());
    this.range = layout.range(index);
    this.added = new int[layout.chunks(index)];
    this.samples = new long[added.length];
    this.sums = new float[added.length][];
    Arrays.setAll(sums, chunk -> new float[layout.chunk(index, chunk).length()]);
    this.waiting = new Gradient[added.length][layout.workers()];
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
    waiting[chunk][from] = gradient;
    while (added[chunk] < layout.workers() && waiting[chunk][added[chunk]] != null) {
      addNext(chunk);
    }
    if (added[chunk] == layout.workers()) {
      finish(chunk);
    }
  }

  private void addNext(int chunk) {
    Gradient next = waiting[chunk][added[chunk]];
    waiting[chunk][added[chunk]] = null;
    if (added[chunk] == 0) {
      next.payload().copyTo(sums[chunk], 0);
    } else {
      next.payload().addTo(sums[chunk], 0);
    }
    added[chunk]++;
    samples[chunk] += next.samples();
    next.payload().release();
  }

  private void finish(int chunk) {
    Range at = layout.chunk(index, chunk);
    // Where no worker had a sample left, nothing changes.
    if (samples[chunk] > 0 && !at.isEmpty()) {
      Slice values = Slice.view(sums[chunk], 0, at.length());
      port.update(new Update.GradientSum(at, values, samples[chunk]));
    }
    Weights weights = new Weights(at, Payload.view(port.model()[0], at));
    for (int worker = 0; worker < layout.workers(); worker++) {
      port.send(new Message(config.rank(), worker, round, weights));
    }
    finishedChunks++;
    if (finishedChunks == added.length) {
      round++;
      begin();
    }
  }

  private void begin() {
    finishedChunks = 0;
    Arrays.fill(added, 0);
    Arrays.fill(samples, 0);
  }

  /** Forgets the round under way, none of whose chunks is complete. */
  void rollBack() {
    if (finishedChunks > 0) {
      throw new IllegalStateException(
          finishedChunks + " chunks of round " + round + " are stepped: too late to roll it back");
    }
    for (Gradient[] ofChunk : waiting) {
      for (int worker = 0; worker < ofChunk.length; worker++) {
        if (ofChunk[worker] != null) {
          ofChunk[worker].payload().release();
          ofChunk[worker] = null;
        }
      }
    }
    begin();
  }

  /** Goes on from a checkpoint. */
  void goOnAfter(long rounds) {
    round = rounds;
  }
}
