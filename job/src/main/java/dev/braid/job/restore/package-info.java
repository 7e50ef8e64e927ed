/**
 * What a run goes on from: a checkpoint or savepoint is held against the run before any job starts,
 * as Flink's own words for one that does not fit are of operators and serializers.
 *
 * <p>{@link dev.braid.job.restore.RestoreCheck} is the way in. It trusts no file: {@code
 * JavaObjectsCheck} and {@code StateFilesCheck} come first, as reading a checkpoint could otherwise
 * run code that is in it. {@code WholenessCheck} compares its checksums, and {@link
 * dev.braid.job.restore.CheckpointDamage} names an older one instead. Then {@code SavedRun} takes
 * from the states what decides whether the run fits (by {@code SavedElements}, which read states
 * without a backend), and {@code SavedChaos} whether state of chaos events is to be dropped. The
 * run's own model and steps are a {@link dev.braid.run.training.TrainedModel} and its {@link
 * dev.braid.run.training.EpochSteps}.
 *
 * <p>Imports {@code engine}, for the names of operators, {@code options} and {@code console}.
 */
package dev.braid.job.restore;
