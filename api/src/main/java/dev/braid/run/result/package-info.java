/**
 * What is said of a run: values, their JSON, and the files in which they are kept. All who write a
 * result or read one do it in these terms, the operator in the cluster, the command that follows a
 * run, and a comparison a week later.
 *
 * <p>A {@link dev.braid.run.result.Status} describes a run that has not ended, an {@link
 * dev.braid.run.result.Evaluation} each epoch, and an {@link dev.braid.run.result.Outcome} the end.
 * A {@link dev.braid.run.result.RunHistory} is all of them as {@code history.jsonl} has them.
 * Numbers that a run may not have are NaN, and nothing in JSON ({@code IfKnown}). Records have the
 * form in which files of earlier runs can still be read: a part that is added must be one that may
 * be missing.
 *
 * <p>{@link dev.braid.run.result.ResultFiles} writes files without waiting for a disk that does not
 * answer, and {@link dev.braid.run.result.EarlierResults} puts aside what another run has left.
 *
 * <p>Imports no other room.
 */
package dev.braid.run.result;
