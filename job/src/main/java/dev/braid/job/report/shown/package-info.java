/**
 * What whoever follows a run sees of it, by what has been {@linkplain dev.braid.job.report.reported
 * reported}.
 *
 * <p>{@link dev.braid.job.report.shown.RunStatus} makes a status of it at any moment, with {@code
 * LeftOutWorkers} for what is said of those who go on without others; {@link
 * dev.braid.job.report.shown.Publication} puts it into Flink's accumulators, each a {@code
 * StatusAccumulator}; {@link dev.braid.job.report.shown.History} is how the run is written down.
 */
package dev.braid.job.report.shown;
