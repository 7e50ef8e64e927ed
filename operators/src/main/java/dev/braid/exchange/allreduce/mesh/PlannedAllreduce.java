package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.Allreduce;

/**
 * A mesh allreduce by a given plan, of ranks that are all there and stay, on links that lose
 * nothing: what {@link MeshAllreduce} does within a view, without what finds faults. Its port must
 * copy the values that it sends, as there is one array for sums only. To measure plans by.
 */
public final class PlannedAllreduce extends Allreduce {

  /** One rank's part of a plan among as many ranks as there are. */
  public PlannedAllreduce(ExchangeConfig config, Port port, MeshPlan plan) {
    super(
        config,
        port,
        (all, vector, sums, completion) ->
            MeshPhases.of(plan, all, sums, new float[vector.length()], completion));
  }
}
