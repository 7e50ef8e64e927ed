/**
 * Report on a run, made of the workers' reports: its progress, history and model, and the check
 * that it kept its promises. {@link dev.braid.run.report.Report#attach} is the entry point.
 *
 * <p>It is one operator, {@link dev.braid.run.report.ReportOperator}, with one task, which receives
 * records, keeps state and hands over files. The evaluation of the records is in three packages,
 * which know nothing of operators:
 *
 * <pre>
 *   workers, ledger
 *        │ records
 *        ▼                        reported ──▶ shown      status, lines, history   while it runs
 *   ReportOperator ──▶ ReportedRun ──────┐
 *        │                               └───▶ verdict    outcome                  at the end
 *        ▼
 *   ReportState, in checkpoints
 * </pre>
 *
 * <p>{@link dev.braid.run.report.reported} adds up the reports of ranks; {@link
 * dev.braid.run.report.shown} makes the status and the history of the sums; {@link
 * dev.braid.run.report.verdict} judges the run when it is over. The command learns of all that from
 * Flink's accumulators, or from the exception with which the job fails.
 *
 * <p>A {@link dev.braid.run.report.ReportConfig} describes the run to the report, and a {@link
 * dev.braid.run.report.ModelFormat} writes models.
 */
package dev.braid.run.report;
