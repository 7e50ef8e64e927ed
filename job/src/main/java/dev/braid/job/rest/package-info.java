/**
 * A Flink cluster and its jobs, as the REST interface of a JobManager or of an embedded Flink shows
 * them. Flink documents the interface and keeps it stable between versions. Its answers are
 * untrusted text, from which only Braid's own records are created.
 *
 * <p>{@link dev.braid.job.rest.FlinkRest} sends requests. {@link dev.braid.job.rest.JobRest}
 * requests the state of one job, a {@link dev.braid.job.rest.JobSight}: the states of its tasks,
 * the reasons for restarts, its checkpoints, and the accumulators in which its tasks report. Only a
 * JobManager that does not answer, or does not know the job, causes an exception.
 *
 * <p>{@link dev.braid.job.rest.ClusterRest} finds the cluster that a client's settings name. {@link
 * dev.braid.job.rest.SubmissionCheck} is for {@code flink run}: it warns about settings of that
 * cluster that impair the training about to be submitted ({@code ClusterWarnings}), above all too
 * little network memory ({@link dev.braid.job.engine.NetworkMemory}). Clusters do not report the
 * class path of a TaskManager; the JobManager's stands for it.
 *
 * <p>Imports {@code engine} and {@code result}.
 */
package dev.braid.job.rest;
