/**
 * The updater's state in shards, one per rank, with ranks that leave and rejoin: the state that an
 * allreduce with sharded updates keeps across views (Rajbhandari et al., "ZeRO", 2020, stage 1;
 * Kumar and Jouppi 2020, §4).
 *
 * <pre>
 *   view k                              view k + 1, another set of members
 *     own shard ──┐                       ┌──▶ own shard
 *                 ├──▶ StatePieces ──▶ NeededState
 *     BackupCopies ┘    of this or        └──▶ BackupCopies
 *                       other members
 * </pre>
 *
 * <p>{@link dev.braid.exchange.allreduce.shards.UpdaterShards} holds all of a rank's state, and
 * reports when it has the state that it needs. A {@code BackupCopy} is the second copy of another
 * rank's shard. The algorithm assigns shards to ranks and sends pieces.
 *
 * <h2>How a backup follows its owner</h2>
 *
 * <p>The backup receives the sum of the gradients over the shard, and applies the step's changes to
 * its copy of the state. The state after the step would be as many vectors as the updater has (Adam
 * two, AMSGrad three); the sum is one vector for every updater. In exchange, a part of the step is
 * computed twice in the job: the change of the state, but not that of the weights, on which no
 * updater's state depends.
 *
 * <pre>
 *   owner:   sum ──┬──▶ step ──▶ weights, to all ──▶ …   the last chunk of weights waits for all
 *                  ▼                                      sums that this rank keeps for others
 *   backup:        sum is kept                        …   the next sum arrives ──▶ into the state
 * </pre>
 *
 * <ul>
 *   <li><b>Same bits.</b> Owner and backup use {@linkplain dev.braid.exchange.Port#remembering the
 *       same updater}, with the same state, sum and number of steps.
 *   <li><b>Order.</b> A rank that has completed a round has all weights, and so knows that all sums
 *       of the round are at two ranks. A sum of the next round, to which all ranks have
 *       contributed, proves that all ranks have completed the round. No rank waits for an answer,
 *       which would take two more hops in each round. A rank that only forwards sends no weights,
 *       and so has no backup.
 *   <li><b>A void round.</b> If a view begins after the previous round, the sum is not in the state
 *       yet and is dropped ({@code BackupCopy}). After a rollback for a checkpoint, the sum is
 *       received again.
 *   <li><b>A new view</b>, including the first one and one after a restore: copies are new, and get
 *       the state over their shards as owners do, in pieces from the ranks that have them.
 *   <li><b>Checkpoints</b> contain owners' shards and no copies.
 * </ul>
 */
package dev.braid.exchange.allreduce.shards;
