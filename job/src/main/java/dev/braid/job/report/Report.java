package dev.braid.job.report;

import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.Progress;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.MultipleConnectedStreams;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;

/** The report's part of the job. */
public final class Report {

  private Report() {}

  /**
   * Adds the report, as one task, behind the workers and the ledger.
   *
   * @param workers how many workers report
   */
  public static void attach(
      DataStream<Began> began,
      DataStream<Progress> progress,
      DataStream<Evaluated> evaluated,
      DataStream<Finished> finished,
      DataStream<ModelPart> model,
      DataStream<LedgerSummary> ledger,
      ReportConfig config,
      int workers) {
    MultipleInputTransformation<String> report =
        new MultipleInputTransformation<>(
            "Report", new ReportOperatorFactory(config, workers), Types.STRING, 1);
    // The order is that of the operator's inputs.
    report.addInput(began.getTransformation());
    report.addInput(progress.getTransformation());
    report.addInput(evaluated.getTransformation());
    report.addInput(finished.getTransformation());
    report.addInput(model.getTransformation());
    report.addInput(ledger.getTransformation());
    report.setUid("report");
    progress.getExecutionEnvironment().addOperator(report);
    new MultipleConnectedStreams(progress.getExecutionEnvironment()).transform(report);
  }
}
