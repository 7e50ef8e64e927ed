package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.List;

/**
 * Reduce-scatter by ring: of the sum of all members' vectors each has a part in the end, its shard.
 *
 * <p>The range is split into one block a member. Block k starts at position k with that member's
 * own values and goes around the ring; every member on the way adds its own, and the last one, at k
 * − 1, has the sum. So every member sends (n−1)/n of the range, the least that there is. A sum's
 * order is that of the ring, from position k on, whatever comes first.
 *
 * <p>A member's own values may come part by part, from an operation before this one: a chunk of the
 * others' that needs them waits.
 */
public final class RingReduceScatter implements Collective {

  private final Communicator among;
  private final Ring ring;
  private final Range range;
  private final float[] sums;
  private final Completion completion;

  /** Of all blocks: which of this member's own values are here. */
  private final ReadyChunks chunks;

  /** Per chunk: the sum that waits for this member's own values; or null. */
  private final Sum[] waiting;

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
    this(among, range, sums, new float[among.group().size() > 2 ? range.end() : 0], completion);
  }

  /**
   * The same with memory for what is passed on, which may be that of an operation before this one
   * whose shard the range is.
   */
  public RingReduceScatter(
      Communicator among, Range range, float[] sums, float[] partials, Completion completion) {
    this.among = among;
    this.ring = new Ring(among.group().size());
    this.range = range;
    this.sums = sums;
    this.partials = partials;
    this.completion = completion;
    this.chunks = new ReadyChunks(chunks(range, ring.ranks(), among.chunkLength()));
    this.waiting = new Sum[chunks.size()];
  }

  private static List<Range> chunks(Range range, int members, int chunkLength) {
    List<Range> chunks = new ArrayList<>();
    for (int position = 0; position < members; position++) {
      Range block = range.part(position, members);
      for (int i = 0; i < block.chunks(chunkLength); i++) {
        chunks.add(block.chunk(i, chunkLength));
      }
    }
    return chunks;
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
    offer(values, range, samples);
  }

  /**
   * A part of this member's values is there, which must not change until the operation is complete
   * at all members; or, where they are in the array of the sums, but by what is finished.
   *
   * @param values the same array for all parts
   * @param samples how many samples they sum over, as many for all parts
   */
  public void offer(float[] values, Range part, long samples) {
    own = values;
    ownSamples = samples;
    chunks.add(part, this::ownIsHere);
  }

  private void ownIsHere(int index) {
    Range chunk = chunks.chunk(index);
    if (range.part(among.group().position(), ring.ranks()).contains(chunk)) {
      chunks.clear(index);
      begin(chunk);
    } else if (waiting[index] != null) {
      Sum sum = waiting[index];
      waiting[index] = null;
      add(index, sum);
    }
  }

  private void begin(Range chunk) {
    if (ring.ranks() > 1) {
      pass(chunk, ownSamples, Payload.view(own, chunk));
      return;
    }
    System.arraycopy(own, chunk.start(), sums, chunk.start(), chunk.length());
    completion.complete(chunk, ownSamples);
  }

  @Override
  public void receive(int from, Sum sum) {
    int index = chunks.indexOf(sum.range());
    if (chunks.isWhole(index)) {
      add(index, sum);
    } else {
      waiting[index] = sum;
    }
  }

  private void add(int index, Sum sum) {
    chunks.clear(index);
    Range chunk = sum.range();
    long samples = sum.samples() + ownSamples;
    if (!shard(range, among.group().position(), ring.ranks()).contains(chunk)) {
      Vectors.sum(partials, own, chunk.start(), sum.payload().dense());
      pass(chunk, samples, Payload.view(partials, chunk));
    } else if (own == sums) {
      sum.payload().addTo(sums, chunk.start());
      completion.complete(chunk, samples);
    } else {
      Vectors.sum(sums, own, chunk.start(), sum.payload().dense());
      completion.complete(chunk, samples);
    }
    sum.payload().release();
  }

  private void pass(Range chunk, long samples, Payload values) {
    among.handPartial(ring.next(among.group().position()), chunk, samples, values);
  }

  @Override
  public void rollBack() {
    chunks.clear();
    Sum.forget(waiting);
  }
}
