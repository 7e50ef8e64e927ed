/**
 * What a worker tells the rest of the job.
 *
 * <p>Times and sums come from rounds: a {@link dev.braid.worker.report.RoundTimes} each, which a
 * {@link dev.braid.worker.report.RoundClock} takes, added up to {@link
 * dev.braid.worker.report.RoundSums}, and with samples and losses to a rank's {@link
 * dev.braid.worker.report.EpochSums}, which a checkpoint has, too, as an epoch may be cut by one.
 * {@link dev.braid.coding.TimesOfRounds} keep how gradient times are spread, for the end.
 *
 * <pre>
 *   RoundTimes ─▶ RoundSums ─▶ EpochSums ─▶ Reports ── WorkerOutputs ──▶ the report's operator
 * </pre>
 *
 * <p>{@link dev.braid.worker.report.Reports} are records that Flink serialises by their components;
 * {@link dev.braid.worker.report.WorkerOutputs} are the side outputs that they leave by. {@link
 * dev.braid.worker.report.ErrorRates} follow from the parameters of a regression, epoch by epoch;
 * {@link dev.braid.worker.report.BraidMetric} has the name and the meaning of every metric, once.
 */
package dev.braid.worker.report;
