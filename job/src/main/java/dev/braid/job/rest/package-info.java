/**
 * A Flink and its jobs, as its REST interface shows them: the one that a cluster's JobManager has,
 * and the same of an embedded Flink. Flink documents it, and keeps it from version to version; what
 * comes is text, of which no object is made but Braid's own records.
 *
 * <p>{@link dev.braid.job.rest.FlinkRest} asks; {@link dev.braid.job.rest.JobRest} asks about one
 * job, and what it learns is a {@link dev.braid.job.rest.JobSight}: how far Flink is with it, why
 * it was restarted, what has become of its checkpoints, and what its own tasks say of it in
 * accumulators. Only a JobManager that does not answer, or does not know the job, is an exception.
 */
package dev.braid.job.rest;
