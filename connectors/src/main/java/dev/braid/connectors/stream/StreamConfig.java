package dev.braid.connectors.stream;

import dev.braid.connectors.record.SampleForm;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import java.io.Serializable;
import java.time.Duration;
import javax.annotation.Nullable;

/**
 * Configuration of a source of samples from a topic.
 *
 * @param topic the topic
 * @param form how its records become samples
 * @param from where a run begins that is not restored
 * @param until where it ends; null for a run without end
 * @param batchSize offsets of a worker's batch
 * @param idleReaders number of readers, the last ones, that have no share: those of ranks that
 *     compute nothing
 * @param window rounds of a window of figures
 * @param windows windows of the run, at most
 * @param maxWait how long a record waits for a round to be full
 * @param skipsLost whether offsets that the topic no longer has are left out
 * @param lineage place of the lineage of a run that is not restored
 * @param seed decides the first weights
 * @param runFile text of a run file that has all options
 */
public record StreamConfig(
    StreamTopic topic,
    SampleForm form,
    StreamBound from,
    @Nullable StreamBound until,
    int batchSize,
    int idleReaders,
    int window,
    int windows,
    Duration maxWait,
    boolean skipsLost,
    String lineage,
    long seed,
    String runFile)
    implements Serializable {

  /** Number of windows of a run without end. */
  public static final int ENDLESS = Integer.MAX_VALUE;

  /** Returns the round behind the last one that there may be. */
  long endRound() {
    return windows == ENDLESS ? Long.MAX_VALUE : (long) windows * window;
  }
}
