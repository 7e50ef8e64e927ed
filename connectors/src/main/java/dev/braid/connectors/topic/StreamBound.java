package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A position in each partition of a topic: where reading begins, or where it ends. */
public sealed interface StreamBound extends Serializable {

  /** The first records that the topic still has. */
  record Earliest() implements StreamBound {}

  /** The ends of the partitions, as they are when the job starts. */
  record Latest() implements StreamBound {}

  /**
   * The first records that are not older than a time.
   *
   * @param epochMillis milliseconds since 1970-01-01 in UTC
   */
  record AtTime(long epochMillis) implements StreamBound {}

  /**
   * Positions of some partitions. The other partitions begin at their first records.
   *
   * @param offsets the next offset of each partition, by the partition's number
   */
  record Offsets(Map<Integer, Long> offsets) implements StreamBound {

    /**
     * Copies the offsets, in the order of partitions.
     *
     * @throws InvalidDataException if there is none, or a number is negative
     */
    public Offsets {
      offsets = Collections.unmodifiableSortedMap(new TreeMap<>(offsets));
      boolean hasNegative =
          offsets.entrySet().stream().anyMatch(it -> it.getKey() < 0 || it.getValue() < 0);
      if (offsets.isEmpty() || hasNegative) {
        throw new InvalidDataException(
            "offsets %s: partitions and offsets from 0 on are needed".formatted(offsets));
      }
    }
  }
}
