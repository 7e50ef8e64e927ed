/**
 * The embedded Flink, and the settings that a job needs in any Flink.
 *
 * <p>{@link dev.braid.job.engine.FlinkSettings} has all settings, with their reasons. {@link
 * dev.braid.job.engine.EmbeddedFlink} is a cluster in this process; {@link
 * dev.braid.job.engine.ReadOnlyWeb}, which Flink finds as a service, limits the requests to its web
 * server.
 *
 * <p>Of the other packages, imports only {@code options} and {@code console}. Flink's internals are
 * used only here and in {@code restore}, apart from Flink's version in a history.
 */
package dev.braid.job.engine;
