package dev.braid.api.score;

import dev.braid.run.scoring.VersionChoice;
import java.time.Duration;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The versions of a model that score records, and the size of batches. Instances are immutable:
 * each method returns a new one.
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
   * Returns a choice in which another version scores a share of the records, for comparison. The
   * hash of a record's key selects the version, or without a key the hash of its features.
   *
   * @param version name of the other version, such as {@code v17}
   * @param share share of the keys, from 0 to 1
   * @throws dev.braid.connectors.file.InvalidDataException if it is not the name of a version, or
   *     the share is out of range
   */
  public ServedVersions canary(String version, double share) {
    return new ServedVersions(config.with(config.choice().withCanary(version, share)));
  }

  /**
   * Sets the maximum number of records that are scored together; 100 by default. A batch consists
   * of records that have already arrived; no record waits for others.
   *
   * @param records at least 1
   */
  public ServedVersions batchSize(int records) {
    return new ServedVersions(config.withBatchSize(records));
  }

  /**
   * Sets the longest time that a record waits for a full batch while others arrive; 5 ms by
   * default.
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
