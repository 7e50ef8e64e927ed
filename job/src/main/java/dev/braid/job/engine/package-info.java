/**
 * Flink in this process, and what a job needs of any Flink.
 *
 * <p>{@link dev.braid.job.engine.FlinkSettings} are all settings that such a job needs, with the
 * reasons. {@link dev.braid.job.engine.EmbeddedFlink} is a cluster in this process; what its web
 * server may be asked for is decided by {@link dev.braid.job.engine.ReadOnlyWeb}, which Flink finds
 * as a service.
 *
 * <p>Imports {@code options} alone of the rooms. Flink's internals are touched here and in {@code
 * restore}; else only where a history has Flink's version.
 */
package dev.braid.job.engine;
