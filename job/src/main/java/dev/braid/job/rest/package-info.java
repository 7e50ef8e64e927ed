/**
 * A Flink and its jobs, as its REST interface shows them: the one that a cluster's JobManager has,
 * and the same of an embedded Flink. Flink documents it, and keeps it from version to version; what
 * comes is text of a stranger, of which no object is made but Braid's own records.
 *
 * <p>{@link dev.braid.job.rest.FlinkRest} asks; {@link dev.braid.job.rest.JobRest} asks about one
 * job, and what it learns is a {@link dev.braid.job.rest.JobSight}: how far Flink is with it, why
 * it was restarted, what has become of its checkpoints, and what its own tasks say of it in
 * accumulators. Only a JobManager that does not answer, or does not know the job, is an exception.
 *
 * <p>{@link dev.braid.job.rest.ClusterRest} finds the cluster that a client's settings name. {@link
 * dev.braid.job.rest.SubmissionCheck} is for {@code flink run}: it tells what of that cluster's
 * settings will hurt the training that is about to be submitted ({@code ClusterWarnings}), how much
 * network memory is needed above all ({@link dev.braid.job.engine.NetworkMemory}). What a
 * TaskManager's class path has is not told by any cluster; the JobManager's stands for it.
 *
 * <p>Imports {@code engine} and {@code result}.
 */
package dev.braid.job.rest;
