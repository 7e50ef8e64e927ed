package dev.braid.api.score;

import dev.braid.run.scoring.VersionChoice;
import java.time.Duration;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Which versions of a model score records, and in which batches. Each method returns another value
 * and leaves this one as it is.
 */
@PublicEvolving
public final class ServedVersions {

  private final ScoreConfig config;

  private ServedVersions(ScoreConfig config) {
    this.config = config;
  }

  static ServedVersions of(VersionChoice choice) {
    return new ServedVersions(ScoreConfig.of(choice));
  }

  /**
   * Scores a share of the records with another version, to compare both. The hash of a record's key
   * decides, or without a key the hash of its features.
   *
   * @param version such as {@code v17}
   * @param share share of the keys, from 0 to 1
   * @throws dev.braid.connectors.file.InvalidDataException if no version has such a name, or the
   *     share is impossible
   */
  public ServedVersions canary(String version, double share) {
    return new ServedVersions(config.with(config.choice().withCanary(version, share)));
  }

  /**
   * Sets the maximum number of records that are scored together; by default 100. Records that have
   * already arrived fill a batch. None waits for others to arrive.
   *
   * @param records at least 1
   */
  public ServedVersions batchSize(int records) {
    return new ServedVersions(config.withBatchSize(records));
  }

  /**
   * Sets how long a record waits for its batch while others keep arriving; by default 5 ms.
   *
   * @param duration in whole milliseconds, 0 or more
   */
  public ServedVersions maxBatchWait(Duration duration) {
    return new ServedVersions(config.withMaxWait(duration));
  }

  /** Returns the settings. */
  @Internal
  public ScoreConfig config() {
    return config;
  }
}
