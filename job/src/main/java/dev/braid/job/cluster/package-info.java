/**
 * A Flink session cluster of separate processes on this machine, without a Flink distribution:
 * {@code braid cluster} and {@code braid flink}.
 *
 * <p>A cluster is a folder ({@code ClusterFolder}). {@link dev.braid.job.cluster.ClusterUp} turns a
 * {@code ClusterPlan} into a configuration ({@code ClusterConfig}, which begins with Braid's
 * shipped settings). The configuration determines the processes ({@code ClusterMember}) and how
 * their JVMs are started ({@code FlinkJvm}, and {@code FlinkMemory}, for which Flink computes the
 * sizes). {@code ClusterKeys} creates the keys of a cluster with TLS.
 *
 * <p>{@code ClusterLaunch} starts the processes and waits until they are connected; until then,
 * {@code ClusterStart} ends them all if anything fails. Afterwards Braid does not supervise them.
 * {@link dev.braid.job.cluster.ClusterStatus} and {@link dev.braid.job.cluster.ClusterDown} find
 * them by their records ({@code ClusterProcess}), and {@code ClusterSight} queries the JobManagers.
 *
 * <p>Imports {@code console}, {@code rest}, and {@code engine} for the size of network memory. The
 * clusters of the tests also use {@code ClusterConfig} and {@code FlinkJvm}.
 */
package dev.braid.job.cluster;
