/**
 * Status and history of a run, made of what its ranks have {@linkplain
 * dev.braid.run.report.reported reported}.
 *
 * <p>{@link dev.braid.run.report.shown.RunStatus} makes a status of it at any moment, with {@code
 * LeftOutWorkers} for the workers that others continue without; {@link
 * dev.braid.run.report.shown.Publication} puts it into Flink's accumulators, each a {@code
 * TextAccumulator}; {@link dev.braid.run.report.shown.History} is how the run is written down.
 */
package dev.braid.run.report.shown;
