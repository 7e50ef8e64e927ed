/**
 * What is said of a run: values, their JSON, and the files in which they are kept. All who write a
 * result or read one do it in these terms, the operator in the cluster, the command that follows a
 * run, and a comparison a week later.
 *
 * <p>While a run goes on, it is a {@link dev.braid.run.result.Status}; of each epoch there is an
 * {@link dev.braid.run.result.Evaluation}, and in the end an {@link dev.braid.run.result.Outcome}.
 * A {@link dev.braid.run.result.RunHistory} is all of them as {@code history.jsonl} has them.
 * Numbers that a run may not have are NaN, and nothing in JSON ({@code IfKnown}). Records have the
 * form in which files of earlier runs can still be read: a part that is added must be one that may
 * be missing.
 *
 * <p>{@link dev.braid.run.result.ResultFiles} writes files so that a disk that does not answer
 * holds up nobody, and {@link dev.braid.run.result.EarlierResults} puts aside what another run has
 * left.
 *
 * <p>Imports no other room.
 */
package dev.braid.run.result;
