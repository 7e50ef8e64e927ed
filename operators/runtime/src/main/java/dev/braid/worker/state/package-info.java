/**
 * The state that operators write into checkpoints, and from which a rank continues.
 *
 * <p>Flink sees byte arrays only. Its own serializers load classes that the bytes name, and a
 * checkpoint may come from an untrusted source. Here the reader determines the type, and the bytes
 * have a version.
 *
 * <pre>
 *   rank 0: ReplicaPart ┐                      ┌▶ rank 0
 *   rank 1: ReplicaPart ├─ union of all parts ─┼▶ rank 1    Replica.of(parts, Role)
 *   rank 2: ReplicaPart ┘                      ├▶ rank 2
 *                                              └▶ rank 3
 * </pre>
 *
 * <p>If all replicas are the same, each rank writes only its {@link
 * dev.braid.worker.state.SavedVectors share} of the vectors, and every rank reads all shares. A job
 * can therefore continue with more workers, or fewer. If replicas differ, each rank writes its own;
 * if these do not fit the new run, all ranks begin with their mean. A {@link
 * dev.braid.worker.state.Role} identifies the rank and the run that have written a part. {@link
 * dev.braid.worker.state.SavedModel} summarises the model before a job is created, and a {@link
 * dev.braid.worker.state.StateVersionException} signals a part of another version.
 *
 * <p>{@link dev.braid.worker.state.RecordState} keeps lists of records, which {@code RecordBytes}
 * writes component by component; other operators use it as well. {@link
 * dev.braid.worker.state.TakenState} releases state that has been put into a checkpoint.
 */
package dev.braid.worker.state;
