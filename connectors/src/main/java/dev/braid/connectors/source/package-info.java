/**
 * The Flink source: it decides which worker trains with which sample, and when.
 *
 * <p>Every epoch deals all samples in a new order, which the seed determines. A {@code ShardPlan}
 * divides it into one {@link dev.braid.connectors.source.ShardSplit} for each worker, and no two
 * workers have a sample in common.
 *
 * <pre>
 *   SampleSource
 *      │ on the JobManager               │ at each worker
 *      ▼                                 ▼
 *   ShardEnumerator ──ShardSplit──▶ SampleReader ──Batch──▶ Worker
 *      │                                 │  ▲                 │
 *   EnumeratorState                  position └─── SourceGate ┘ a credit for each batch
 * </pre>
 *
 * <p>A reader has no thread, and emits a batch only against a credit, so that the number of batches
 * that wait in the worker is bounded. Its position in a checkpoint is that of the oldest batch that
 * the worker has not used up. After a restore these batches are emitted again, and each sample is
 * used once per epoch. With another number of workers, the rest of each epoch is combined and
 * divided again; {@code Positions} does the arithmetic.
 *
 * <p>If rounds are computed redundantly ({@link dev.braid.connectors.source.RoundSharing}), each
 * reader has all shares, and goes through them in step. A round's samples are one batch of each
 * share, as without redundancy, and {@code CodedRounds} selects those that the worker computes,
 * with their coefficients. Positions refer to the same shares, so that such a run can be restored
 * from one without redundancy, and the other way round.
 *
 * <p>Checkpoints contain the formats of {@code ShardSplitSerializer} and {@link
 * dev.braid.connectors.source.EnumeratorState}, each with a version. Batches between operators are
 * serialised by {@link dev.braid.connectors.source.BatchSerializer}, and are in no state.
 */
package dev.braid.connectors.source;
