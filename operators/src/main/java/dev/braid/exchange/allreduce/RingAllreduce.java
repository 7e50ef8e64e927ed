package dev.braid.exchange.allreduce;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

/**
 * Bandwidth-optimal ring allreduce: reduce-scatter, then all-gather, chunked and pipelined.
 *
 * <p>The vector is split into one block a rank. Block k starts at rank k as its own gradient and
 * goes once around the ring; every rank on the way adds its own, and the last one, k − 1, holds the
 * sum. The sum goes around once more. So every rank sends 2(n−1)/n of the vector, whatever n is,
 * which no allreduce can better.
 *
 * <p>Nothing is counted in steps: what comes is added and sent on at once, chunk by chunk, so
 * chunks of a block are at several ranks at a time. The order of each sum is that of the ring, from
 * rank k on, whatever comes first; it is the same for all ranks, as one rank computes it for all.
 *
 * <p>Two ranks swap their gradients instead, and each adds them up: as many bytes as half a vector
 * there and its sum back, in one trip. Their sums are the same, as {@code a + b} is {@code b + a}
 * to the bit.
 *
 * <p>Latency grows with n where a tree's grows with log n: a ring suits large vectors.
 */
public final class RingAllreduce extends Allreduce {

  private final ExchangeConfig config;
  private final Port port;
  private final Ring ring;
  private final Range vector;

  /** Of a chunk, where those that come begin: at the beginning of an array. */
  private final float[] ownShare;

  public RingAllreduce(ExchangeConfig config, Port port) {
    super(config, port);
    this.config = config;
    this.port = port;
    this.ring = new Ring(config.ranks());
    this.vector = Range.ofLength(config.length());
    this.ownShare = new float[Math.min(config.chunkLength(), config.length())];
  }

  @Override
  void begin(Contribution local) {
    Range own = block(config.rank());
    for (int i = 0; i < own.chunks(config.chunkLength()); i++) {
      Range chunk = own.chunk(i, config.chunkLength());
      if (config.ranks() == 1) {
        System.arraycopy(
            local.gradient(), chunk.start(), round().sum(), chunk.start(), chunk.length());
        round().markFinal(chunk, local.samples());
      } else {
        pass(Sum.partial(chunk, local.samples(), Payload.view(local.gradient(), chunk)));
      }
    }
  }

  @Override
  void handle(Sum sum) {
    switch (sum.kind()) {
      case PARTIAL -> reduce(sum);
      case FINISHED -> gather(sum);
      case TO_RELAY, OF_BROTHER, JOINT -> throw new IllegalArgumentException(sum + " in a ring");
    }
    sum.payload().release();
  }

  private void reduce(Sum sum) {
    Contribution local = round().local();
    Range chunk = sum.range();
    Slice partial = sum.payload().dense();
    long samples = sum.samples() + local.samples();
    if (isLastHop(chunk)) {
      Vectors.sum(round().sum(), local.gradient(), chunk.start(), partial);
      round().markFinal(chunk, samples);
      if (config.ranks() > 2) {
        pass(Sum.finished(chunk, samples, Payload.view(round().sum(), chunk)));
      }
    } else {
      System.arraycopy(local.gradient(), chunk.start(), ownShare, 0, chunk.length());
      Vectors.add(partial.array(), partial.offset(), Slice.view(ownShare, 0, chunk.length()));
      pass(Sum.partial(chunk, samples, sum.payload()));
    }
  }

  private void gather(Sum sum) {
    Range chunk = sum.range();
    sum.payload().copyTo(round().sum(), chunk.start());
    round().markFinal(chunk, sum.samples());
    if (!isLastHop(chunk, ring.next(config.rank()))) {
      pass(sum);
    }
  }

  /** Whether a chunk's sum is complete with this rank's share: block k ends at rank k − 1. */
  private boolean isLastHop(Range chunk) {
    return isLastHop(chunk, config.rank());
  }

  private boolean isLastHop(Range chunk, int rank) {
    Range block = block(ring.next(rank));
    return block.start() <= chunk.start() && chunk.start() < block.end();
  }

  private Range block(int index) {
    if (config.ranks() <= 2) {
      // Two swap all they have.
      return vector;
    }
    return vector.part(index, config.ranks());
  }

  private void pass(Sum sum) {
    port.send(new Message(config.rank(), ring.next(config.rank()), round().completed(), sum));
  }
}
