/**
 * The commands of {@code braid chaos}: they send events to runs that listen, or make and repeat
 * schedules of them. What events do is the business of the module {@code chaos}.
 *
 * <p>A command for one event is a {@code ChaosSend}, of links ({@link
 * dev.braid.job.chaos.ChaosOfLinks}) or of ranks ({@link dev.braid.job.chaos.ChaosOfRanks}): the
 * subclass is the action and its parameters. {@code MeshFlags} find ranks and links by their places
 * in a mesh. {@code SendFlags} say where events go, a topic or a file, for these as for {@link
 * dev.braid.job.chaos.ChaosGenerate} and {@link dev.braid.job.chaos.ChaosReplay}. {@link
 * dev.braid.job.chaos.ChaosStatus} reads the log of what was applied.
 *
 * <p>Imports {@code options}, for topics, and {@code console}; no other command.
 */
package dev.braid.job.chaos;
