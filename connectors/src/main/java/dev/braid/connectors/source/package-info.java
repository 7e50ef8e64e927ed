/**
 * The Flink source: which worker trains with which sample, and when.
 *
 * <p>Every epoch deals all samples anew, in an order drawn from the seed. A {@code ShardPlan} cuts
 * it into one {@link dev.braid.connectors.source.ShardSplit} for each worker, and no two workers
 * have a sample in common.
 *
 * <pre>
 *   SampleSource
 *      │ on the JobManager               │ beside each worker
 *      ▼                                 ▼
 *   ShardEnumerator ──ShardSplit──▶ SampleReader ──Batch──▶ Worker
 *      │                                 │  ▲                 │
 *   EnumeratorState                  position └─── SourceGate ┘ a credit for each batch
 * </pre>
 *
 * <p>A reader has no thread, and emits a batch against a credit only, so that what waits in the
 * worker is bounded. Its position in a checkpoint is that of the oldest batch that the worker has
 * not used up: after a restore these are emitted again, and each sample is used once an epoch. With
 * another number of workers, what is left of each epoch is put together and cut anew; {@code
 * Positions} is the arithmetic on it.
 *
 * <p>Where rounds are computed redundantly ({@link dev.braid.connectors.source.RoundSharing}), each
 * reader has all shares, and goes through them in step: a round's samples are one batch of each
 * share, as without redundancy, and {@code CodedRounds} takes those of them, with their
 * coefficients, that the worker computes. Positions are the same shares, so that such a run can be
 * restored from one without, and the other way.
 *
 * <p>{@code ShardSplitSerializer} and {@link dev.braid.connectors.source.EnumeratorState} are what
 * checkpoints have, each with a version. Batches travel between operators as {@link
 * dev.braid.connectors.source.BatchSerializer} writes them, and are in no state.
 */
package dev.braid.connectors.source;
