package dev.braid.connectors.source;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The division of the data among the readers. It is pure, so that every kind of failure and restore
 * uses the same arithmetic.
 *
 * @param samples number of samples in an epoch
 * @param batchSize samples of a reader's batch
 * @param epochs number of epochs
 */
record ShardPlan(int samples, int batchSize, int epochs) {

  /** Returns the shares of {@code shards} readers at the beginning of a run. */
  List<ShardSplit> start(int shards) {
    return IntStream.range(0, shards)
        .mapToObj(shard -> ShardSplit.start(shard, shards, batchSize))
        .toList();
  }

  /**
   * Returns the shares of {@code shards} readers that continue after others.
   *
   * <p>The same number of readers with the same batch size continue exactly where they were, if
   * their pace is the same or they are all at the same batch. Otherwise the rest of each epoch,
   * over all readers, is combined and divided again, so that all have the same number of batches
   * left. With asynchronous exchanges, all readers thereby complete an epoch that some had not
   * begun while others were beyond it.
   *
   * @param restored the shares of the previous readers, in any order
   * @param samePace whether the pace of the readers is unchanged
   * @throws IllegalStateException if shares are missing, or do not belong together
   * @throws InvalidDataException if more epochs were begun than configured
   */
  List<ShardSplit> resume(List<ShardSplit> restored, int shards, boolean samePace) {
    ShardSplit[] before = complete(restored);
    int begun = restored.stream().mapToInt(ShardSplit::nextEpoch).max().orElse(0);
    if (begun > epochs) {
      throw new InvalidDataException(
          "`epochs` %d: the checkpoint is in epoch %d already: %d or more is needed"
              .formatted(epochs, begun, begun));
    }
    boolean sameReaders = before.length == shards && before[0].batchSize() == batchSize;
    if (sameReaders && (samePace || Arrays.stream(before).allMatch(before[0]::isInStepWith))) {
      return List.of(before);
    }
    int nextEpoch = 0;
    for (ShardSplit split : before) {
      nextEpoch = Math.max(nextEpoch, split.nextEpoch());
    }
    Map<Integer, List<Range>> left = new TreeMap<>();
    for (ShardSplit split : before) {
      ShardSplit behind = split;
      while (behind.nextEpoch() < nextEpoch) {
        behind = behind.beginEpoch(samples);
      }
      for (ShardSplit.Segment segment : behind.begun()) {
        left.computeIfAbsent(segment.epoch(), epoch -> new ArrayList<>())
            .addAll(segment.remaining());
      }
    }
    left.replaceAll((epoch, ranges) -> Positions.normalise(ranges));
    List<ShardSplit> shares = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      shares.add(new ShardSplit(shard, shards, batchSize, cut(left, shard, shards), nextEpoch));
    }
    return shares;
  }

  private List<ShardSplit.Segment> cut(Map<Integer, List<Range>> left, int shard, int shards) {
    List<ShardSplit.Segment> segments = new ArrayList<>();
    left.forEach(
        (epoch, ranges) -> {
          int count = Positions.count(ranges);
          Range part = Range.ofLength(count).part(shard, shards);
          segments.add(
              new ShardSplit.Segment(
                  epoch,
                  Positions.slice(ranges, part.start(), part.end()),
                  ShardSplit.batches(count, shards, batchSize)));
        });
    return segments;
  }

  /** Returns the restored shares by their index. */
  private ShardSplit[] complete(List<ShardSplit> restored) {
    int shards = restored.get(0).shards();
    ShardSplit[] complete = new ShardSplit[shards];
    boolean exhausted = true;
    for (ShardSplit split : restored) {
      if (split.shards() != shards
          || split.batchSize() != restored.get(0).batchSize()
          || complete[split.shard()] != null) {
        throw new IllegalStateException(
            split + " does not go together with " + restored.get(0) + " in one checkpoint");
      }
      complete[split.shard()] = split;
      exhausted &= split.isExhausted(epochs);
    }
    for (int shard = 0; shard < shards; shard++) {
      if (complete[shard] == null && !exhausted) {
        throw new IllegalStateException(
            "the checkpoint has "
                + restored.size()
                + " of "
                + shards
                + " shares of the data: "
                + shard
                + " is missing");
      }
      if (complete[shard] == null) {
        // Readers end together, when all are exhausted. Those that had ended before the checkpoint
        // have no state in it.
        complete[shard] =
            new ShardSplit(shard, shards, restored.get(0).batchSize(), List.of(), epochs);
      }
    }
    return complete;
  }
}
