package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;

/**
 * Ring all-gather: each member begins with one shard, as a {@link RingReduceScatter} leaves it, and
 * all members end with the whole range. Each shard travels around the ring once, so each member
 * sends (n−1)/n of the range.
 */
public final class RingAllGather implements Collective {

  private final Communicator among;
  private final Ring ring;
  private final Range range;
  private final float[] values;
  private final Completion completion;

  /**
   * Creates one member's part.
   *
   * @param range the gathered range, the same at all members
   * @param values the vector: contains this member's shard and receives the others' shards; a
   *     member overwrites a chunk only after the next member has received it
   * @param completion called for each chunk of the others' shards
   */
  public RingAllGather(Communicator among, Range range, float[] values, Completion completion) {
    this.among = among;
    this.ring = new Ring(among.size());
    this.range = range;
    this.values = values;
    this.completion = completion;
  }

  /** Sends a finished chunk of this member's shard. */
  public void publish(Range chunk, long samples) {
    if (ring.ranks() > 1) {
      pass(chunk, samples, values);
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    Range chunk = sum.range();
    sum.payload().copyTo(values, chunk.start());
    completion.complete(chunk, sum.samples());
    int next = ring.next(among.position());
    if (!RingReduceScatter.shard(range, next, ring.ranks()).contains(chunk)) {
      pass(chunk, sum.samples(), values);
    }
    sum.payload().release();
  }

  private void pass(Range chunk, long samples, float[] vector) {
    among.handFinished(ring.next(among.position()), chunk, samples, vector);
  }
}
