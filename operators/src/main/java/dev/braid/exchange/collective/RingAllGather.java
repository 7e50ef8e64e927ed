package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;

/**
 * All-gather by ring: each member has a shard, as a {@link RingReduceScatter} leaves it, and all
 * have the whole range in the end. What a member has goes around the ring once, so that each sends
 * (n−1)/n of the range.
 */
public final class RingAllGather implements Collective {

  private final Communicator among;
  private final Ring ring;
  private final Range range;
  private final float[] values;
  private final Completion completion;

  /**
   * @param range which is gathered; the same at all members
   * @param values where this member's shard is, and the others' are written; a member writes a
   *     chunk again only after the next one has had it
   * @param completion told of each chunk of the others' shards
   */
  public RingAllGather(Communicator among, Range range, float[] values, Completion completion) {
    this.among = among;
    this.ring = new Ring(among.group().size());
    this.range = range;
    this.values = values;
    this.completion = completion;
  }

  /** A chunk of this member's shard is ready. */
  public void publish(Range chunk, long samples) {
    if (ring.ranks() > 1) {
      pass(chunk, samples, Payload.view(values, chunk));
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    Range chunk = sum.range();
    sum.payload().copyTo(values, chunk.start());
    completion.complete(chunk, sum.samples());
    int next = ring.next(among.group().position());
    if (!RingReduceScatter.shard(range, next, ring.ranks()).contains(chunk)) {
      pass(chunk, sum.samples(), Payload.view(values, chunk));
    }
    sum.payload().release();
  }

  private void pass(Range chunk, long samples, Payload payload) {
    among.handFinished(ring.next(among.group().position()), chunk, samples, payload);
  }
}
