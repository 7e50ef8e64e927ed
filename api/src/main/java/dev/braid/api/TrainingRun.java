package dev.braid.api;

import dev.braid.ledger.Ledger;
import dev.braid.run.report.Report;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.training.TrainingJob.Outputs;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;

/** A training as part of a job. It starts when the job is executed. */
@PublicEvolving
public final class TrainingRun {

  private final DataStream<String> reported;

  private TrainingRun(DataStream<String> reported) {
    this.reported = reported;
  }

  /** Adds the ledger and the report to a job that has workers. */
  @Internal
  public static TrainingRun of(Outputs workers, boolean isStream, ReportConfig config, int ranks) {
    return new TrainingRun(
        Report.attach(
            workers,
            isStream ? Ledger.attachTo(workers.offsets()) : Ledger.attach(workers.usage()),
            config,
            ranks));
  }

  /** Returns the figures of each epoch, or of each window of a stream, in order. */
  public DataStream<EpochFigures> figures() {
    return reported
        .map(EpochFigures::of)
        .returns(TypeInformation.of(EpochFigures.class))
        .name("Figures")
        .setParallelism(1);
  }
}
