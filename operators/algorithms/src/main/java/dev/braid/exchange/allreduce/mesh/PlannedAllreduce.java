package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.Allreduce;

/**
 * A mesh allreduce with a given plan, for measurements of plans. It does what {@link MeshAllreduce}
 * does within a view, without fault detection: all ranks must be present and stay, and links must
 * lose nothing. Its port must copy sent values, because there is only one array for sums.
 */
public final class PlannedAllreduce extends Allreduce {

  /** Creates one rank's part of a plan that all ranks take part in. */
  public PlannedAllreduce(ExchangeConfig config, Port port, MeshPlan plan) {
    super(
        config,
        port,
        (all, vector, sums, completion) ->
            MeshPhases.of(plan, all, sums, new float[vector.length()], completion));
  }
}
