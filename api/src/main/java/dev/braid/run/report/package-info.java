/**
 * What becomes of what the workers report: the run's progress, its history, its model, and the
 * check that it kept its promises. {@link dev.braid.run.report.Report#attach} is the way in.
 *
 * <p>It is one operator, {@link dev.braid.run.report.ReportOperator}, with one task: it receives
 * records, keeps state and hands files over. What follows from the records is the business of three
 * rooms, which know nothing of operators:
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
 * <p>{@link dev.braid.run.report.reported} adds up what ranks say; {@link
 * dev.braid.run.report.shown} makes the status and the history of it; {@link
 * dev.braid.run.report.verdict} judges it when it is over. The command learns of all that by
 * Flink's accumulators, or by the exception with which the job fails.
 *
 * <p>A {@link dev.braid.run.report.ReportConfig} describes the run to the report, and a {@link
 * dev.braid.run.report.ModelFormat} writes models.
 */
package dev.braid.run.report;
