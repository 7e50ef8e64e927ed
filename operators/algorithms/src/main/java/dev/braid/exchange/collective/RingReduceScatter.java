package dev.braid.exchange.collective;

import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Sum;
import dev.braid.topology.Ring;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.List;

/**
 * Ring reduce-scatter: each member ends with one part, its shard, of the sum of all members'
 * vectors.
 *
 * <p>The range is split into one block per member. Block k starts at position k with that member's
 * own values and travels around the ring. Every member on the way adds its own values, and the last
 * one, at position k − 1, has the sum. Every member thus sends (n−1)/n of the range, the minimum.
 * The order of summation is that of the ring from position k on, independent of arrival.
 *
 * <p>A member's own values may become ready part by part, from a preceding operation. A received
 * chunk waits until the member's own values for it are ready.
 */
public final class RingReduceScatter implements Collective {

  private final Communicator among;
  private final Ring ring;
  private final Range range;
  private final float[] sums;
  private final Completion completion;

  /** Chunks of all blocks, with the readiness of this member's own values. */
  private final ReadyChunks chunks;

  /** Per chunk: the received sum that waits for this member's own values; or null. */
  private final Sum[] waiting;

  /**
   * Partial sums that this member passes on, at the vector's indices. They are overwritten only in
   * the next round. Before it begins that round, this member has received the finished sums of all
   * blocks, so all members have completed this operation and received the partial sums.
   */
  private final float[] partials;

  private float[] own = {};
  private long ownSamples;

  /**
   * Creates one member's part, with its own memory for partial sums.
   *
   * @param range the reduced range, the same at all members
   * @param sums output: receives the sum of this member's shard, at the shard's indices
   * @param completion called for each chunk of this member's shard
   */
  public RingReduceScatter(Communicator among, Range range, float[] sums, Completion completion) {
    this(among, range, sums, new float[among.size() > 2 ? range.end() : 0], completion);
  }

  /**
   * Creates one member's part, with given memory for partial sums.
   *
   * @param range the reduced range, the same at all members
   * @param sums output: receives the sum of this member's shard, at the shard's indices
   * @param partials memory for the partial sums that this member passes on. A preceding operation
   *     may share it if the range is the shard of that operation
   * @param completion called for each chunk of this member's shard
   */
  public RingReduceScatter(
      Communicator among, Range range, float[] sums, float[] partials, Completion completion) {
    this.among = among;
    this.ring = new Ring(among.size());
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

  /** Returns the part of a range whose sum the member at a position ends with. */
  public static Range shard(Range range, int position, int members) {
    return range.part(position + 1 == members ? 0 : position + 1, members);
  }

  /**
   * Begins with all of this member's values. They must not change until the operation is complete
   * at all members.
   */
  public void begin(float[] values, long samples) {
    offer(values, range, samples);
  }

  /**
   * Takes a part of this member's values. They must not change until the operation is complete at
   * all members; if they are in the array of sums, only finished sums may overwrite them.
   *
   * @param values the vector, the same array for all parts
   * @param samples number of samples that the values sum over, the same for all parts
   */
  public void offer(float[] values, Range part, long samples) {
    own = values;
    ownSamples = samples;
    chunks.add(part, this::ownIsHere);
  }

  private void ownIsHere(int index) {
    Range chunk = chunks.chunk(index);
    if (range.part(among.position(), ring.ranks()).contains(chunk)) {
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
      pass(chunk, ownSamples, own);
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
    if (!shard(range, among.position(), ring.ranks()).contains(chunk)) {
      Vectors.sum(partials, own, chunk.start(), sum.payload().dense());
      pass(chunk, samples, partials);
    } else if (own == sums) {
      sum.payload().addTo(sums, chunk.start());
      completion.complete(chunk, samples);
    } else {
      Vectors.sum(sums, own, chunk.start(), sum.payload().dense());
      completion.complete(chunk, samples);
    }
    sum.payload().release();
  }

  private void pass(Range chunk, long samples, float[] values) {
    among.handPartial(ring.next(among.position()), chunk, samples, values);
  }

  @Override
  public void rollBack() {
    chunks.clear();
    Body.OverRange.forget(waiting);
  }
}
