/**
 * What becomes of what the workers report: the run's progress, its history, its model, and the
 * check that it kept its promises. {@link dev.braid.job.report.Report#attach} is the way in.
 *
 * <p>It is one operator, {@link dev.braid.job.report.ReportOperator}, with one task: it receives
 * records, keeps state and hands files over. What follows from the records is the business of the
 * {@code ReportedRun}, which knows nothing of Flink: the {@code Evaluations}, with an {@code
 * OpenEpoch} until all have reported it, and its {@code EpochSum}; the {@code AssembledModel} and
 * the {@code EpochModels}, of which the best is saved; {@code Replicas}, {@code LedgerVerdict} and
 * {@code Absences}, by which the run is judged. How fast it goes is the business of {@code pace}.
 * {@code History} is how it is written down. The command learns of all that by a {@link
 * dev.braid.job.report.StatusAccumulator}, or by the exception with which the job fails.
 *
 * <p>Imports {@code result} and {@code pace} alone of the rooms: what a run is, it is told in a
 * {@link dev.braid.job.report.ReportConfig}, and how models are written in a {@link
 * dev.braid.job.report.ModelFormat}.
 */
package dev.braid.job.report;
