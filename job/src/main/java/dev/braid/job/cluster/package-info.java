/**
 * A session cluster of Flink on this machine, of separate processes, without a distribution of
 * Flink: {@code braid cluster} and {@code braid flink}.
 *
 * <p>A cluster is a folder ({@code ClusterFolder}). {@link dev.braid.job.cluster.ClusterUp} decides
 * what is to run there: a {@code ClusterPlan} becomes a configuration ({@code ClusterConfig}, which
 * begins with the settings that come with Braid), and that says which processes there are ({@code
 * ClusterMember}) and how their JVMs are started ({@code FlinkJvm}, and {@code FlinkMemory}, which
 * has Flink work out their sizes). {@code ClusterKeys} makes the keys of a cluster with TLS. {@code
 * ClusterLaunch} starts them and waits until they have found each other; until then {@code
 * ClusterStart} ends them all if anything goes wrong. From there on nothing of Braid watches them:
 * {@link dev.braid.job.cluster.ClusterStatus} and {@link dev.braid.job.cluster.ClusterDown} find
 * them by their records ({@code ClusterProcess}), and {@code ClusterSight} asks the JobManagers.
 *
 * <p>Imports {@code console}, {@code rest}, and {@code engine} for the size of network memory. The
 * tests' clusters are made of {@code ClusterConfig} and {@code FlinkJvm}, too.
 */
package dev.braid.job.cluster;
