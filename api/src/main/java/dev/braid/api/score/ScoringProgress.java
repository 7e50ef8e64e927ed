package dev.braid.api.score;

import dev.braid.connectors.registry.ModelVersion;
import dev.braid.run.scoring.RecordScore;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.accumulators.IntMaximum;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Progress of a job that scores, which its client reads from Flink's accumulators.
 *
 * @param records number of records that were scored since the job was started or restarted
 * @param errors number of records that could not be scored
 * @param version number of the newest version that has scored a record; 0 if none has
 */
@Internal
public record ScoringProgress(long records, long errors, int version) {

  private static final String RECORDS = "braid.scored";
  private static final String ERRORS = "braid.errors";
  private static final String VERSION = "braid.version";

  /** Returns the progress in a job's accumulators. */
  public static ScoringProgress of(Map<String, Object> accumulators) {
    return new ScoringProgress(
        (long) accumulators.getOrDefault(RECORDS, 0L),
        (long) accumulators.getOrDefault(ERRORS, 0L),
        Math.max(0, (int) accumulators.getOrDefault(VERSION, 0)));
  }

  /** Counters of a subtask. An instance belongs to one thread. */
  static final class Counts {

    private final LongCounter records;
    private final LongCounter errors;
    private final IntMaximum version;
    private String counted = "";

    /**
     * Creates the counters of a subtask. Operators of one task, which run in one thread, share
     * them.
     */
    Counts(RuntimeContext context) {
      records = context.getLongCounter(RECORDS);
      errors = context.getLongCounter(ERRORS);
      version =
          Optional.ofNullable(context.<Integer, Integer>getAccumulator(VERSION))
              .map(IntMaximum.class::cast)
              .orElseGet(
                  () -> {
                    IntMaximum added = new IntMaximum();
                    context.addAccumulator(VERSION, added);
                    return added;
                  });
    }

    void add(RecordScore score) {
      (score.isScored() ? records : errors).add(1);
      if (!score.version().equals(counted)) {
        counted = score.version();
        version.add(ModelVersion.number(counted));
      }
    }
  }
}
