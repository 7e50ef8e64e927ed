/**
 * A cluster of Flink, as its REST interface tells of it.
 *
 * <p>{@link dev.braid.job.rest.FlinkRest} asks, and takes an answer for what it is: of a stranger,
 * with a size and a time. {@link dev.braid.job.rest.SubmissionCheck} is for {@code flink run}: it
 * finds the cluster that the client's settings name, and tells what of its settings will hurt the
 * training that is about to be submitted ({@code ClusterWarnings}), how much network memory is
 * needed above all ({@link dev.braid.job.engine.NetworkMemory}).
 *
 * <p>Imports {@code engine} and {@code result}. What a TaskManager's class path has is not told by
 * any cluster; the JobManager's stands for it.
 */
package dev.braid.job.rest;
