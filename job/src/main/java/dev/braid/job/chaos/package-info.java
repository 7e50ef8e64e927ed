/**
 * The commands of {@code braid chaos}: they send events to runs that listen, or make and repeat
 * schedules of them. What events do is the business of the module {@code chaos}.
 *
 * <p>{@link dev.braid.job.chaos.ChaosSend} sends what is typed, in the form that files and topics
 * have, too. {@code SendFlags} say where events go, a topic or a file, for this as for {@link
 * dev.braid.job.chaos.ChaosGenerate} and {@link dev.braid.job.chaos.ChaosReplay}. {@link
 * dev.braid.job.chaos.ChaosStatus} reads the log of what was applied.
 *
 * <p>Imports {@code options}, for topics, and {@code console}; no other command.
 */
package dev.braid.job.chaos;
