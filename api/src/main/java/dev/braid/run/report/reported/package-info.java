/**
 * Sums of the ranks' reports of a run: a {@link dev.braid.run.report.reported.ReportedRun}, which
 * knows nothing of Flink, of files or of clients.
 *
 * <p>Reports come in any order, some of them twice, some late, and after a failure from another
 * number of ranks. Therefore each sum is made in rank order, of the reports that belong together:
 *
 * <pre>
 *   Evaluated ──▶ OpenEpoch ──all ranks, or all that are not away──▶ EpochSum ──▶ Evaluations
 *   ModelPart ──▶ EpochModels, of which the best is saved; AssembledModel, the final one
 *   Progress  ──▶ Absences: ranks that are away, and ranks that all others wait for
 * </pre>
 *
 * <p>{@link dev.braid.run.pace} measures the speed of the run.
 */
package dev.braid.run.report.reported;
