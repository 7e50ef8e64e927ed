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
 * when it has what it needs; a {@link dev.braid.exchange.allreduce.shards.BackupCopy} is the second
 * copy of another's shard. Which shard is whose, and how pieces travel, is the algorithm's
 * business.
 */
package dev.braid.exchange.allreduce.shards;
