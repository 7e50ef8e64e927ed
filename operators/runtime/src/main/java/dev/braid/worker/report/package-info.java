/**
 * The reports that a worker sends to the rest of the job.
 *
 * <p>Times and sums come from rounds. A {@link dev.braid.worker.report.RoundClock} measures the
 * {@link dev.braid.worker.report.RoundClock.RoundTimes} of each round. They are {@linkplain
 * dev.braid.exchange.Figure figures}, like the statistics of the exchange. With samples and losses,
 * they are added up to a rank's {@link dev.braid.worker.report.EpochSums}. A checkpoint contains
 * these sums, because it may fall in the middle of an epoch.
 *
 * <pre>
 *   RoundTimes ─▶ FigureValues ─▶ EpochSums ─▶ Reports ── WorkerOutputs ──▶ the report's operator
 * </pre>
 *
 * <p>{@link dev.braid.worker.report.Reports} are records that Flink serialises by their components,
 * and {@link dev.braid.worker.report.WorkerOutputs} are the side outputs that carry them. {@link
 * dev.braid.worker.report.ErrorRates} follow from the parameters of a regression, epoch by epoch.
 * {@link dev.braid.worker.report.BraidMetric} defines the name and the meaning of every metric that
 * is not declared as a {@link dev.braid.exchange.Figure}.
 */
package dev.braid.worker.report;
