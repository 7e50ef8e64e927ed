/**
 * The commands of {@code braid chaos}: they send events to training jobs, generate schedules of
 * events and replay them. The module {@code chaos} implements the events' effects.
 *
 * <p>{@link dev.braid.job.chaos.ChaosSend} sends events given on the command line, in the form that
 * files and topics use. {@code SendFlags} choose the destination, a topic or a file, for it and for
 * {@link dev.braid.job.chaos.ChaosGenerate} and {@link dev.braid.job.chaos.ChaosReplay}. {@link
 * dev.braid.job.chaos.ChaosStatus} reads the log of applied events.
 *
 * <p>Imports {@code options}, for topics, and {@code console}; no other command.
 */
package dev.braid.job.chaos;
