package dev.braid.job.train;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CauseChain.Cause;
import dev.braid.loop.TooFewBuffersException;
import dev.braid.run.report.ResultsNotWrittenException;
import dev.braid.run.report.verdict.ReplicasDifferException;
import dev.braid.worker.DivergedException;
import java.util.Optional;

/** One-line reasons for a run's failure, with remedies. */
public final class FailureText {

  /**
   * Message of Flink if it cannot start a job because it cannot create its folder for checkpoints.
   */
  private static final String NO_STORAGE = "Failed to create checkpoint storage";

  private FailureText() {}

  /** Returns the reason for a failure of which only the exception is known. */
  public static String of(Throwable failure) {
    return of(CauseChain.of(failure), Optional.empty(), "");
  }

  /**
   * Returns the reason for a run's failure. The deepest cause has the reason; the causes above it
   * only have the place.
   *
   * @param where TaskManager on which a task has failed, on a cluster
   * @param besides remedies for divergence other than a lower learning rate
   */
  static String of(CauseChain causes, Optional<String> where, String besides) {
    Optional<Cause> known = causes.find(FailureText::isKnown);
    if (known.isPresent()) {
      String advice = known.get().is(DivergedException.class) ? besides : "";
      return known.get().message().strip() + advice + "; no model was saved";
    }
    return "the run failed: " + cause(causes, where);
  }

  private static boolean isKnown(Cause cause) {
    return cause.is(DivergedException.class)
        || cause.is(ReplicasDifferException.class)
        || cause.is(ResultsNotWrittenException.class);
  }

  /** Returns the reason for a task's failure. */
  static String cause(CauseChain causes, Optional<String> where) {
    Optional<String> libraries = MissingLibraries.inTask(causes, where);
    if (libraries.isPresent()) {
      return libraries.get();
    }
    Cause deepest = causes.deepest();
    String line = deepest.line();
    if (deepest.message().contains("allowNonRestoredState")) {
      // If this process could read the checkpoint, a check has reported this before, or Flink was
      // configured to allow it.
      return "the checkpoint has state that this run does not use, such as chaos events: "
          + "use the options of the run that made it";
    }
    if (line.contains(TooFewBuffersException.WORDS)) {
      return line.replaceFirst("[.] .*", "")
          + ": increase taskmanager.memory.network.min and .max of the TaskManagers, or "
          + "use fewer --workers";
    }
    if (causes.find(it -> it.message().contains(NO_STORAGE)).isPresent()) {
      return ("the JobManager cannot create the folder for checkpoints: %s; it and all "
              + "TaskManagers must be able to write to --checkpoint-dir, by default in --out")
          .formatted(line);
    }
    boolean isData =
        where.isPresent() && causes.find(it -> it.is(InvalidDataException.class)).isPresent();
    return isData ? line + ", on TaskManager " + where.get() + ", which reads --data" : line;
  }
}
