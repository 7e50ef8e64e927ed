/**
 * Status and history of a run, made of its ranks' {@linkplain dev.braid.run.report.reported
 * reports}.
 *
 * <p>{@link dev.braid.run.report.shown.RunStatus} makes the current status, with {@code
 * LeftOutWorkers} for notes on excluded workers. {@link dev.braid.run.report.shown.Publication}
 * puts it into Flink's accumulators, each a {@code TextAccumulator}. {@link
 * dev.braid.run.report.shown.History} makes the lines of the history file.
 */
package dev.braid.run.report.shown;
