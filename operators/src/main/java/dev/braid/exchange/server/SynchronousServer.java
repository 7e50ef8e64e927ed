package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Message.Kind;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
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
  private final Message[][] waiting;

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
    this.waiting = new Message[added.length][layout.workers()];
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
  void push(Message message) {
    if (message.round() != round || !layout.isWorker(message.from())) {
      throw new IllegalStateException(
          "gradient of round "
              + message.round()
              + " from rank "
              + message.from()
              + " while round "
              + round
              + " of "
              + layout.workers()
              + " workers is under way");
    }
    int chunk = (message.range().start() - range.start()) / layout.chunkLength();
    waiting[chunk][message.from()] = message;
    while (added[chunk] < layout.workers() && waiting[chunk][added[chunk]] != null) {
      addNext(chunk);
    }
    if (added[chunk] == layout.workers()) {
      finish(chunk);
    }
  }

  private void addNext(int chunk) {
    Message next = waiting[chunk][added[chunk]];
    waiting[chunk][added[chunk]] = null;
    Slice values = next.values();
    if (added[chunk] == 0) {
      System.arraycopy(values.array(), values.offset(), sums[chunk], 0, values.length());
    } else {
      Vectors.add(sums[chunk], 0, values);
    }
    added[chunk]++;
    samples[chunk] += next.samples();
    values.release();
  }

  private void finish(int chunk) {
    Range at = layout.chunk(index, chunk);
    // Where no worker had a sample left, nothing changes.
    if (samples[chunk] > 0 && !at.isEmpty()) {
      Slice values = Slice.view(sums[chunk], 0, at.length());
      port.update(new Update.GradientSum(at, values, samples[chunk]));
    }
    Slice weights = Slice.view(port.model()[0], at);
    for (int worker = 0; worker < layout.workers(); worker++) {
      port.send(new Message(config.rank(), worker, Kind.MODEL, round, at, samples[chunk], weights));
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
    for (Message[] ofChunk : waiting) {
      for (int worker = 0; worker < ofChunk.length; worker++) {
        if (ofChunk[worker] != null) {
          ofChunk[worker].values().release();
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
