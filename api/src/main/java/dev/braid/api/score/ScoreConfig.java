package dev.braid.api.score;

import dev.braid.run.scoring.RegistryFollower;
import dev.braid.run.scoring.VersionChoice;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.annotation.Internal;

/**
 * Settings of an operator that scores records. They are serialized with the job.
 *
 * @param choice versions that score
 * @param batchSize maximum number of records that are scored together
 * @param maxWaitMillis maximum time that a record waits for its batch while others arrive, in ms
 * @param times times of polling the registry
 */
@Internal
public record ScoreConfig(
    VersionChoice choice, int batchSize, long maxWaitMillis, RegistryFollower.Times times)
    implements Serializable {

  /** Checks the numbers. */
  public ScoreConfig {
    if (batchSize < 1) {
      throw new IllegalArgumentException(
          "batch size %d: at least 1 is needed".formatted(batchSize));
    }
    if (maxWaitMillis < 0) {
      throw new IllegalArgumentException(
          "maximum wait of %d ms: 0 or more is needed".formatted(maxWaitMillis));
    }
  }

  /** Returns the usual settings. */
  public static ScoreConfig of(VersionChoice choice) {
    return new ScoreConfig(choice, 100, 5, RegistryFollower.Times.USUAL);
  }

  ScoreConfig with(VersionChoice other) {
    return new ScoreConfig(other, batchSize, maxWaitMillis, times);
  }

  ScoreConfig with(RegistryFollower.Times other) {
    return new ScoreConfig(choice, batchSize, maxWaitMillis, other);
  }

  ScoreConfig withBatchSize(int records) {
    return new ScoreConfig(choice, records, maxWaitMillis, times);
  }

  ScoreConfig withMaxWait(Duration duration) {
    return new ScoreConfig(choice, batchSize, duration.toMillis(), times);
  }
}
