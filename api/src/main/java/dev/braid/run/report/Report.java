package dev.braid.run.report;

import dev.braid.ledger.LedgerSummary;
import dev.braid.run.training.TrainingJob.Outputs;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.MultipleConnectedStreams;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;

/** The part of the job that makes the report. */
public final class Report {

  private Report() {}

  /**
   * Adds the report, as one task, after the workers and the ledger.
   *
   * @param outputs outputs of the workers
   * @param workers number of workers that report
   * @return a line of JSON for each epoch
   */
  public static DataStream<String> attach(
      Outputs outputs, DataStream<LedgerSummary> ledger, ReportConfig config, int workers) {
    StreamExecutionEnvironment env = ledger.getExecutionEnvironment();
    MultipleInputTransformation<String> report =
        new MultipleInputTransformation<>(
            "Report", new ReportOperatorFactory(config, workers), Types.STRING, 1);
    // The order is that of the operator's inputs.
    report.addInput(outputs.began().getTransformation());
    report.addInput(outputs.progress().getTransformation());
    report.addInput(outputs.evaluated().getTransformation());
    report.addInput(outputs.finished().getTransformation());
    report.addInput(outputs.model().getTransformation());
    report.addInput(ledger.getTransformation());
    report.setUid("report");
    env.addOperator(report);
    return new MultipleConnectedStreams(env).transform(report);
  }
}
