/**
 * Validation of the checkpoint or savepoint that a run resumes from, before any job starts. Flink's
 * own messages about one that does not fit only name operators and serializers.
 *
 * <p>{@link dev.braid.job.restore.RestoreCheck} is the entry point. It trusts no file: {@code
 * JavaObjectsCheck} and {@code StateFilesCheck} come first, because reading a checkpoint could
 * otherwise run code in it. {@code WholenessCheck} verifies checksums, and {@link
 * dev.braid.job.restore.CheckpointDamage} suggests an older checkpoint. {@code SavedRun} then reads
 * the properties that decide whether the run fits (with {@code SavedElements}, which read states
 * without a backend), and {@code SavedChaos} decides whether to drop state of chaos events. The
 * run's own model and steps are a {@link dev.braid.run.training.TrainedModel} and its {@link
 * dev.braid.run.training.EpochSteps}.
 *
 * <p>Imports {@code engine}, for the names of operators, {@code options}, {@code config} and {@code
 * console}.
 */
package dev.braid.job.restore;
