package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import java.util.function.IntPredicate;

/**
 * The ranks that have a shard of the updater's state in a view.
 *
 * @param range the shard
 * @param owner rank that takes the steps over it
 * @param backup rank that has a copy; equal to {@code owner} if there is none
 */
public record ShardHolders(Range range, int owner, int backup) {

  /** Returns whether neither the owner nor the backup is present. */
  boolean areAway(IntPredicate isThere) {
    return !isThere.test(owner) && !isThere.test(backup);
  }
}
