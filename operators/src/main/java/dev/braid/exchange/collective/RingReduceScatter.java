package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

/**
 * Reduce-scatter by ring: of the sum of all members' vectors each has a part in the end, its shard.
 *
 * <p>The range is split into one block a member. Block k starts at position k with that member's
 * own values and goes around the ring; every member on the way adds its own, and the last one, at k
 * − 1, has the sum. So every member sends (n−1)/n of the range, the least that there is. A sum's
 * order is that of the ring, from position k on, whatever comes first.
 */
public final class RingReduceScatter implements Collective {

  private final Communicator among;
  private final Ring ring;
  private final Range range;
  private final float[] sums;
  private final Completion completion;

  /**
   * What is passed on, at the indices of the vector. It is written again in the next round only,
   * which this member does not begin before all have had all of this one.
   */
  private final float[] partials;

  private float[] own = {};
  private long ownSamples;

  /**
   * @param range which is reduced; the same at all members
   * @param sums where the shard's sum is written, over its own range
   * @param completion told of each chunk of this member's shard
   */
  public RingReduceScatter(Communicator among, Range range, float[] sums, Completion completion) {
    this.among = among;
    this.ring = new Ring(among.group().size());
    this.range = range;
    this.sums = sums;
    this.completion = completion;
    this.partials = new float[ring.ranks() > 2 ? range.end() : 0];
  }

  /** The part of a range whose sum the member at a position has in the end. */
  public static Range shard(Range range, int position, int members) {
    return range.part(position + 1 == members ? 0 : position + 1, members);
  }

  /**
   * Begins with this member's values, which must not change until the operation is complete at all
   * members.
   */
  public void begin(float[] values, long samples) {
    own = values;
    ownSamples = samples;
    Range block = range.part(among.group().position(), ring.ranks());
    for (int i = 0; i < block.chunks(among.chunkLength()); i++) {
      Range chunk = block.chunk(i, among.chunkLength());
      if (ring.ranks() == 1) {
        System.arraycopy(own, chunk.start(), sums, chunk.start(), chunk.length());
        completion.complete(chunk, samples);
      } else {
        pass(chunk, samples, Payload.view(own, chunk));
      }
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    Range chunk = sum.range();
    Slice partial = sum.payload().dense();
    long samples = sum.samples() + ownSamples;
    Range shard = shard(range, among.group().position(), ring.ranks());
    if (shard.contains(chunk)) {
      Vectors.sum(sums, own, chunk.start(), partial);
      completion.complete(chunk, samples);
    } else if (shard.overlaps(chunk)) {
      // It would go around the ring without end.
      throw new IllegalArgumentException("a sum over " + chunk + " is partly in shard " + shard);
    } else {
      Vectors.sum(partials, own, chunk.start(), partial);
      pass(chunk, samples, Payload.view(partials, chunk));
    }
    sum.payload().release();
  }

  private void pass(Range chunk, long samples, Payload values) {
    among.handPartial(ring.next(among.group().position()), chunk, samples, values);
  }
}
