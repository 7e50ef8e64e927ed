package dev.braid.exchange.allreduce.shards;

import dev.braid.vector.Range;
import java.util.function.IntPredicate;

/**
 * Who has a shard of the updater's state in a view.
 *
 * @param range the shard
 * @param owner who takes the steps over it
 * @param backup who has a copy; the owner, if nobody has
 */
public record ShardHolders(Range range, int owner, int backup) {

  /** Whether none of them is among some ranks. */
  boolean areAway(IntPredicate isThere) {
    return !isThere.test(owner) && !isThere.test(backup);
  }
}
