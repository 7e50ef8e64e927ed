/**
 * Results of a run: values, their JSON, and the files that keep them. The operator in the cluster,
 * the command that follows a run, and a comparison a week later all read and write results in this
 * form.
 *
 * <p>A {@link dev.braid.run.result.Status} describes a run that has not ended, an {@link
 * dev.braid.run.result.Evaluation} each epoch, and an {@link dev.braid.run.result.Outcome} the end.
 * A {@link dev.braid.run.result.RunHistory} has the evaluations and the outcome as {@code
 * history.jsonl} stores them. Numbers that a run may not have are NaN, and absent from JSON ({@code
 * IfKnown}). Files of earlier runs stay readable: a component that is added to a record must be one
 * that may be missing.
 *
 * <p>{@link dev.braid.run.result.ResultFiles} writes files without waiting for a disk that does not
 * respond, and {@link dev.braid.run.result.EarlierResults} moves the files of an earlier run.
 *
 * <p>Imports no other package of {@code dev.braid.run}.
 */
package dev.braid.run.result;
