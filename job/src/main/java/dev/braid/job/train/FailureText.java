package dev.braid.job.train;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CauseChain.Cause;
import dev.braid.loop.coordinator.TooFewBuffersException;
import dev.braid.run.report.ResultsNotWrittenException;
import dev.braid.run.report.verdict.ReplicasDifferException;
import dev.braid.worker.DivergedException;
import java.util.Optional;

/** Why a run failed, in a line, with what the user could do about it. */
public final class FailureText {

  /** What Flink says where it cannot begin a job for want of a folder. */
  private static final String NO_STORAGE = "Failed to create checkpoint storage";

  private FailureText() {}

  /** Of a run of which no more is known. */
  public static String of(Throwable failure) {
    return of(CauseChain.of(failure), Optional.empty(), "");
  }

  /**
   * The deepest cause says what went wrong; those above it only where.
   *
   * @param where the TaskManager of a cluster on which a task has failed
   * @param besides what may help against divergence besides a lower learning rate
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

  /** Why a task has failed. */
  static String cause(CauseChain causes, Optional<String> where) {
    Optional<String> libraries = MissingLibraries.inTask(causes, where);
    if (libraries.isPresent()) {
      return libraries.get();
    }
    Cause deepest = causes.deepest();
    String line = deepest.line();
    if (deepest.message().contains("allowNonRestoredState")) {
      // Where this process could read the checkpoint, the check has said so, or Flink was told.
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
