/**
 * What operators write into checkpoints, and what a rank goes on from.
 *
 * <p>Flink sees byte arrays only. Its own serializers take names of classes from what they read,
 * and a checkpoint may be anybody's: here who reads says what it is to be, and the bytes have
 * versions.
 *
 * <pre>
 *   rank 0: ReplicaPart ┐                      ┌▶ rank 0
 *   rank 1: ReplicaPart ├─ union of all parts ─┼▶ rank 1    Replica.of(parts, Role)
 *   rank 2: ReplicaPart ┘                      ├▶ rank 2
 *                                              └▶ rank 3
 * </pre>
 *
 * <p>Where all replicas are the same, each rank writes its {@link dev.braid.worker.state.Holding
 * share} of the vectors only, and every rank reads all of them: so a job goes on with more workers,
 * or fewer. Where they differ, each writes its own, and where these do not fit the new run as they
 * are, all begin with their mean. A {@link dev.braid.worker.state.Role} says which rank of which
 * run has written a part. {@link dev.braid.worker.state.SavedModel} is what has to be known of it
 * before a job is made, {@link dev.braid.worker.state.StateVersionException} that another version
 * wrote it.
 *
 * <p>{@link dev.braid.worker.state.RecordState} keeps lists of records, which {@code RecordBytes}
 * writes component by component, for other operators as well; {@link
 * dev.braid.worker.state.TakenState} lets go of what a checkpoint has taken.
 */
package dev.braid.worker.state;
