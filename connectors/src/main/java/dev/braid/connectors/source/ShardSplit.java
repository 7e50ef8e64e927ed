package dev.braid.connectors.source;

import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A reader's share of the data, and its position: the rest of the epochs that were begun (or handed
 * over when the parallelism changed), followed by shard {@code shard} of {@code shards} of every
 * epoch from {@code nextEpoch} on. It is immutable, so that a reader can keep a position and return
 * to it.
 *
 * @param shard index of this share and of its reader, from 0
 * @param shards number of readers that share the data
 * @param batchSize samples of a batch; at least 1
 * @param begun rest of the epochs before {@code nextEpoch}, ascending by epoch
 * @param nextEpoch the first epoch that has not been begun
 */
public record ShardSplit(int shard, int shards, int batchSize, List<Segment> begun, int nextEpoch)
    implements SourceSplit {

  /**
   * The rest of one epoch.
   *
   * @param epoch the epoch, from 0
   * @param remaining positions in the epoch's order, ascending and disjoint
   * @param batchesLeft number of batches that the reader still has to emit in the epoch: at least
   *     1, and enough for the positions. It may exceed what the positions need, because other
   *     readers may have more positions left, and all emit the same number of batches
   */
  public record Segment(int epoch, List<Range> remaining, int batchesLeft) {

    public Segment {
      remaining = List.copyOf(remaining);
      if (epoch < 0 || batchesLeft < 1) {
        throw new IllegalArgumentException(
            "epoch " + epoch + " with " + batchesLeft + " batches left: 0 and 1 are the least");
      }
      int end = 0;
      for (Range range : remaining) {
        if (range.isEmpty() || range.start() < end) {
          throw new IllegalArgumentException(
              "positions " + remaining + " of epoch " + epoch + " do not ascend");
        }
        end = range.end();
      }
    }
  }

  /**
   * One batch, and the position after it.
   *
   * @param epoch the batch's epoch
   * @param positions the batch's positions in the epoch's order; empty if this shard has no samples
   *     left while others have
   * @param lastOfEpoch whether it is the shard's last batch of the epoch
   * @param after the shard's position after the batch
   */
  record Step(int epoch, List<Range> positions, boolean lastOfEpoch, ShardSplit after) {}

  public ShardSplit {
    begun = List.copyOf(begun);
    if (shards < 1 || shard < 0 || shard >= shards || batchSize < 1 || nextEpoch < 0) {
      throw new IllegalArgumentException(
          "shard "
              + shard
              + " of "
              + shards
              + " in batches of "
              + batchSize
              + ", next epoch "
              + nextEpoch
              + ": 0 <= shard < shards, 1 sample and epoch 0 are the least");
    }
    int before = -1;
    for (Segment segment : begun) {
      if (segment.epoch() <= before || segment.epoch() >= nextEpoch) {
        throw new IllegalArgumentException(
            "epoch " + segment.epoch() + " is after " + before + " and before " + nextEpoch);
      }
      if (Positions.count(segment.remaining()) > (long) segment.batchesLeft() * batchSize) {
        throw new IllegalArgumentException(
            Positions.count(segment.remaining())
                + " samples of epoch "
                + segment.epoch()
                + " do not fit in "
                + segment.batchesLeft()
                + " batches of "
                + batchSize);
      }
      before = segment.epoch();
    }
  }

  /** Returns share {@code shard} of {@code shards} of all epochs. */
  static ShardSplit start(int shard, int shards, int batchSize) {
    return new ShardSplit(shard, shards, batchSize, List.of(), 0);
  }

  @Override
  public String splitId() {
    return "shard-" + shard;
  }

  /** Returns whether no batch is left if there are {@code epochs} epochs. */
  boolean isExhausted(int epochs) {
    return epochOfNext() >= epochs;
  }

  /** Returns the epoch of the next batch, from 0. */
  int epochOfNext() {
    return begun.isEmpty() ? nextEpoch : begun.get(0).epoch();
  }

  /** Returns whether another shard of the same data is at the same batch of the same epoch. */
  boolean isInStepWith(ShardSplit other) {
    return nextEpoch == other.nextEpoch && batchesLeft().equals(other.batchesLeft());
  }

  /** Returns the number of batches left in each epoch that was begun. */
  private Map<Integer, Integer> batchesLeft() {
    return begun.stream().collect(Collectors.toMap(Segment::epoch, Segment::batchesLeft));
  }

  /** Returns the next batch. Must not be called if {@link #isExhausted}. */
  Step next(int samples) {
    if (begun.isEmpty()) {
      return beginEpoch(samples).next(samples);
    }
    Segment segment = begun.get(0);
    int count = Positions.count(segment.remaining());
    int size = Math.min(batchSize, count);
    List<Range> positions = Positions.slice(segment.remaining(), 0, size);
    boolean last = segment.batchesLeft() == 1;
    List<Segment> rest = begun.subList(1, begun.size());
    if (!last) {
      List<Range> left = Positions.slice(segment.remaining(), size, count);
      rest = new ArrayList<>(rest);
      rest.add(0, new Segment(segment.epoch(), left, segment.batchesLeft() - 1));
    }
    return new Step(
        segment.epoch(),
        positions,
        last,
        new ShardSplit(shard, shards, batchSize, rest, nextEpoch));
  }

  /** Returns this share with the next epoch among those begun. */
  ShardSplit beginEpoch(int samples) {
    Range all = Range.ofLength(samples);
    List<Range> part = Positions.normalise(List.of(all.part(shard, shards)));
    List<Segment> more = new ArrayList<>(begun);
    more.add(new Segment(nextEpoch, part, batches(samples, shards, batchSize)));
    return new ShardSplit(shard, shards, batchSize, more, nextEpoch + 1);
  }

  /**
   * Returns the number of batches that each of {@code shards} readers emits for {@code samples}
   * samples: enough for the longest share, and at least one, so that all workers learn of the
   * epoch's end.
   */
  static int batches(int samples, int shards, int batchSize) {
    int longest = samples / shards + (samples % shards == 0 ? 0 : 1);
    return Math.max(1, longest / batchSize + (longest % batchSize == 0 ? 0 : 1));
  }
}
