/**
 * The updater's state of a model in shards, one at each rank, where ranks leave and come back: what
 * an allreduce with sharded updates keeps from view to view (Rajbhandari et al., "ZeRO", 2020,
 * stage 1; Kumar and Jouppi 2020, §4).
 *
 * <pre>
 *   view k                              view k + 1, another set of members
 *     own shard ──┐                       ┌──▶ own shard
 *                 ├──▶ StatePieces ──▶ NeededState
 *     BackupCopies ┘    here, or of       └──▶ BackupCopies
 *                       other members
 * </pre>
 *
 * <p>{@link dev.braid.exchange.allreduce.shards.UpdaterShards} is all that a rank has, and says
 * when it has what it needs; a {@code BackupCopy} is the second copy of another's shard. Which
 * shard is whose, and how pieces travel, is the algorithm's business.
 *
 * <h2>How a backup comes to have what the owner has</h2>
 *
 * <p>It is sent the sum of the gradients over the shard, and does to its copy of the state what the
 * step does. The state after the step would be as many vectors as the updater has (Adam two,
 * AMSGrad three); the sum is one, whatever the updater. In exchange a part of the step is done
 * twice in the job: what it remembers, and not where it leads, as no updater's state depends on the
 * weights.
 *
 * <pre>
 *   owner:   sum ──┬──▶ step ──▶ weights, to all ──▶ …   the last chunk of them, when all sums are
 *                  ▼                                      here that this rank is to keep for others
 *   backup:        sum is kept                        …   the next round's comes ──▶ into the state
 * </pre>
 *
 * <ul>
 *   <li><b>Same bits.</b> Both go by {@linkplain dev.braid.exchange.Port#remembering the same
 *       updater}, from the same state along the same sum, with the same count of steps.
 *   <li><b>Order.</b> A rank with a shard gives the last chunk of its weights away when it has the
 *       sums of all shards that it has a backup of. So a rank that has completed a round, which
 *       takes all weights, knows that all sums of it are at two ranks; and a sum of the next round,
 *       in which all have contributed, says that all have completed it. Nobody waits for an answer,
 *       which would be two hops more in each round. A rank that only forwards gives no weights
 *       away, and so has no backup.
 *   <li><b>A round that is void.</b> Where a view begins after the round before, the sum is not in
 *       the state yet, and is dropped. Where some member has completed the round, the whole sum is
 *       here, and goes into the state then: so the shard changes hands as its owner had it, at
 *       whatever moment that was cut off. After a roll-back for a checkpoint the sum comes again.
 *   <li><b>A view that begins</b>, also the first, and one after a restore: copies are new, and get
 *       the state over their shards as owners do, in pieces of whoever has them. From then on there
 *       are sums alone.
 *   <li><b>Checkpoints</b> have owners' shards and no copies.
 * </ul>
 */
package dev.braid.exchange.allreduce.shards;
