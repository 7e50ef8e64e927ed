package dev.braid.bench;

import dev.braid.run.pace.Rate;
import dev.braid.run.report.Report;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.report.shown.RunStatus;
import dev.braid.run.report.verdict.Conclusion;
import dev.braid.run.result.Status;
import dev.braid.run.scoring.RecordScorer;
import dev.braid.run.training.TrainingJob;
import java.util.List;

/** Dependencies among the packages of a training or a scoring as part of a job. */
class RunArchitectureTest extends Rooms {

  private static final Room RESULT = Room.of(Status.class);
  private static final Room PACE = Room.of(Rate.class, RESULT);
  private static final Room TRAINING = Room.of(TrainingJob.class, RESULT);
  private static final Room SCORING = Room.of(RecordScorer.class, TRAINING);
  private static final Room REPORTED = Room.of(ReportedRun.class, RESULT, PACE);
  private static final Room SHOWN = Room.of(RunStatus.class, RESULT, PACE, REPORTED);
  private static final Room VERDICT = Room.of(Conclusion.class, RESULT, REPORTED);
  private static final Room REPORT =
      Room.of(Report.class, RESULT, PACE, TRAINING, REPORTED, SHOWN, VERDICT);

  RunArchitectureTest() {
    super(
        "dev.braid.run",
        List.of(RESULT, PACE, TRAINING, SCORING, REPORTED, SHOWN, VERDICT, REPORT));
  }
}
