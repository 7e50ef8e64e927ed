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
 * @param section offsets that the run reads
 * @param lineage place of the lineage of a run that is not restored
 * @param seed determines the initial weights
 * @param runFile text of a run file that contains all options
 */
public record StreamConfig(
    StreamTopic topic,
    SampleForm form,
    Section section,
    Batches batches,
    Windows windows,
    String lineage,
    long seed,
    String runFile)
    implements Serializable {

  /** Number of windows of a run without end. */
  public static final int ENDLESS = Integer.MAX_VALUE;

  /**
   * Offsets that a run reads.
   *
   * @param from beginning of a run that is not restored
   * @param until end of the run; null for a run without end
   * @param skipsLost whether offsets that the topic no longer has are skipped
   */
  public record Section(StreamBound from, @Nullable StreamBound until, boolean skipsLost)
      implements Serializable {}

  /**
   * The workers' batches.
   *
   * @param size number of offsets in a worker's batch
   * @param idleReaders number of readers, the last ones, that have no share: those of ranks that do
   *     not compute
   * @param maxWait longest time for which a record waits for a full round
   */
  public record Batches(int size, int idleReaders, Duration maxWait) implements Serializable {}

  /**
   * Windows of figures.
   *
   * @param rounds number of rounds in a window
   * @param most highest number of windows in the run
   */
  public record Windows(int rounds, int most) implements Serializable {}

  /** Returns the round after the last possible one. */
  long endRound() {
    return windows.most() == ENDLESS ? Long.MAX_VALUE : (long) windows.most() * windows.rounds();
  }
}
