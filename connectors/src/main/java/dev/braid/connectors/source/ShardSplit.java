package dev.braid.connectors.source;

import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A reader's share of the data, and how far it has come: what is left of the epochs that were begun
 * (or handed over when the parallelism changed), then shard {@code shard} of {@code shards} of
 * every epoch from {@code nextEpoch} on. Immutable, so a position can be kept and gone back to.
 *
 * @param shard which share this is, from 0: the index of its reader
 * @param shards how many readers share the data
 * @param batchSize samples of a batch; at least 1
 * @param begun what is left of epochs before {@code nextEpoch}, ascending by epoch
 * @param nextEpoch the first epoch that is to be taken whole
 */
public record ShardSplit(int shard, int shards, int batchSize, List<Segment> begun, int nextEpoch)
    implements SourceSplit {

  /**
   * What is left of one epoch.
   *
   * @param epoch the epoch, from 0
   * @param remaining positions in the epoch's order, ascending and disjoint
   * @param batchesLeft how many batches the reader has still to emit in the epoch: at least 1, and
   *     enough for the positions; the other readers may have more positions left than this one, and
   *     all emit the same number of batches
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
   * @param positions the batch's positions in the epoch's order; none if this shard has no samples
   *     left while others have
   * @param lastOfEpoch whether it is the shard's last batch of the epoch
   * @param after where the shard goes on
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

  /** Share {@code shard} of {@code shards} of all epochs. */
  static ShardSplit start(int shard, int shards, int batchSize) {
    return new ShardSplit(shard, shards, batchSize, List.of(), 0);
  }

  @Override
  public String splitId() {
    return "shard-" + shard;
  }

  /** Whether no batch is left when there are {@code epochs} epochs. */
  boolean isExhausted(int epochs) {
    return epochOfNext() >= epochs;
  }

  /** Of which epoch the next batch is, from 0. */
  int epochOfNext() {
    return begun.isEmpty() ? nextEpoch : begun.get(0).epoch();
  }

  /** Whether another shard of the same data is at the same batch of the same epoch. */
  boolean isInStepWith(ShardSplit other) {
    return nextEpoch == other.nextEpoch && batchesLeft().equals(other.batchesLeft());
  }

  /** How many batches are left of the epochs that were begun, by epoch. */
  private Map<Integer, Integer> batchesLeft() {
    return begun.stream().collect(Collectors.toMap(Segment::epoch, Segment::batchesLeft));
  }

  /** The next batch; there is one unless this {@link #isExhausted}. */
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

  /** The same share, with the next epoch among those begun. */
  ShardSplit beginEpoch(int samples) {
    Range all = Range.ofLength(samples);
    List<Range> part = Positions.normalise(List.of(all.part(shard, shards)));
    List<Segment> more = new ArrayList<>(begun);
    more.add(new Segment(nextEpoch, part, batches(samples, shards, batchSize)));
    return new ShardSplit(shard, shards, batchSize, more, nextEpoch + 1);
  }

  /**
   * How many batches each of {@code shards} readers emits for {@code samples} samples: as many as
   * the longest share needs, and one at least, so that the epoch's end is told to all.
   */
  static int batches(int samples, int shards, int batchSize) {
    int longest = samples / shards + (samples % shards == 0 ? 0 : 1);
    return Math.max(1, longest / batchSize + (longest % batchSize == 0 ? 0 : 1));
  }
}
