package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.allreduce.ShardedAllreduce;

/**
 * The allreduce of a mesh with updates sharded over the ranks (Kumar and Jouppi 2020, §4; Xu et
 * al., "Automatic cross-replica sharding of weight update", 2020): on the way to the sum each rank
 * comes to have a part of it, of all ranks' gradients; there it takes the step, and what goes the
 * way back are weights. A rank that only forwards has no part, and gets all weights.
 *
 * <p>The updater's state over a part is at one rank and nowhere else. So nobody goes on without a
 * rank that is cut off: all wait for it, as those of a ring do, and messages go around links that
 * are cut over the mesh. Whoever would go on without it would begin its part of the state anew, and
 * train another model than a mesh does whose ranks all have it.
 */
final class ShardedMesh extends ShardedAllreduce {

  ShardedMesh(ExchangeConfig config, Port port) {
    this(config, port, plan(config));
  }

  private ShardedMesh(ExchangeConfig config, Port port, MeshPlan plan) {
    super(
        config,
        port,
        plan.served(config.rank()),
        MeshRounds.ARRAYS,
        (all, vector, sums, step, completion) ->
            MeshPhases.of(plan, all, sums, new float[vector.length()], step, completion));
  }

  private static MeshPlan plan(ExchangeConfig config) {
    return MeshDescriptor.plan(config, MeshDescriptor.mesh(config).whole());
  }
}
