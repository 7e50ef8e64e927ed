/**
 * Flink, and the job that runs in it.
 *
 * <p>{@link dev.braid.job.engine.TrainingJob} is the dataflow: samples, workers, the loop of
 * messages between them, with chaos events or slow lines in it where a run has them. It is told
 * what a run is, by nothing but values, and knows no option. {@link
 * dev.braid.job.engine.FlinkSettings} are all settings that such a job needs, with the reasons.
 * {@link dev.braid.job.engine.EmbeddedFlink} is a cluster in this process; what its web server may
 * be asked for is decided by {@link dev.braid.job.engine.ReadOnlyWeb}, which Flink finds as a
 * service.
 *
 * <p>Imports {@code options} alone of the rooms. Flink's internals are touched here and in {@code
 * restore}; else only where a history has Flink's version.
 */
package dev.braid.job.engine;
