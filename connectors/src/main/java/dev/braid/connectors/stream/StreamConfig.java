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
 * @param form conversion of its records to samples
 * @param from beginning of a run that is not restored
 * @param until end of the run; null for a run without end
 * @param batchSize number of offsets in a worker's batch
 * @param idleReaders number of readers, the last ones, that have no share: those of ranks that do
 *     not compute
 * @param window number of rounds in a window of figures
 * @param windows highest number of windows in the run
 * @param maxWait longest time for which a record waits for a full round
 * @param skipsLost whether offsets that the topic no longer has are skipped
 * @param lineage place of the lineage of a run that is not restored
 * @param seed determines the initial weights
 * @param runFile text of a run file that contains all options
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

  /** Returns the round after the last possible one. */
  long endRound() {
    return windows == ENDLESS ? Long.MAX_VALUE : (long) windows * window;
  }
}
