package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A position in each partition of a topic, at which reading begins or ends. */
public sealed interface StreamBound extends Serializable {

  /** The first record that each partition still has. */
  record Earliest() implements StreamBound {}

  /** The ends of the partitions at the start of the job. */
  record Latest() implements StreamBound {}

  /**
   * The first record of each partition that is not older than a time.
   *
   * @param epochMillis milliseconds since 1970-01-01 in UTC
   */
  record AtTime(long epochMillis) implements StreamBound {}

  /**
   * Positions in some partitions. The other partitions begin at their first records.
   *
   * @param offsets the next offset of each partition, by the partition's number
   */
  record Offsets(Map<Integer, Long> offsets) implements StreamBound {

    /**
     * Copies the offsets, in the order of partitions.
     *
     * @throws InvalidDataException if there are none, or a number is negative
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
