/**
 * What ranks report of a run, added up: a {@link dev.braid.run.report.reported.ReportedRun}, which
 * knows nothing of Flink, of files or of who looks.
 *
 * <p>Reports come in any order, some of them twice, some late, and after a failure from other
 * numbers of ranks. So each sum is made in the order of ranks, by what belongs together:
 *
 * <pre>
 *   Evaluated ──▶ OpenEpoch ──all have, or those who are there──▶ EpochSum ──▶ Evaluations
 *   ModelPart ──▶ EpochModels, of which the best is saved; AssembledModel, the final one
 *   Progress  ──▶ Absences: who is away, and whom all wait for
 * </pre>
 *
 * <p>How fast the run goes is the business of {@link dev.braid.run.pace}.
 */
package dev.braid.run.report.reported;
