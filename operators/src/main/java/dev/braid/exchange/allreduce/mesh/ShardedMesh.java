package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.allreduce.shards.UpdaterShards;
import dev.braid.exchange.membership.ElasticExchange;
import dev.braid.exchange.transport.Window;
import dev.braid.topology.Mesh;
import dev.braid.vector.Range;
import java.util.List;

/**
 * The allreduce of a mesh with updates sharded over the ranks (Kumar and Jouppi 2020, §4; Xu et
 * al., "Automatic cross-replica sharding of weight update", 2020): on the way to the sum each rank
 * comes to have a part of it, of all ranks' gradients; there it takes the step, and what goes the
 * way back are weights. A rank that only forwards has no part, and gets all weights.
 *
 * <p>Shards are those of the view's plan, and so change hands when ranks leave or come back: {@link
 * UpdaterShards}. A second copy of each is at a rank far away, so that the others go on where one
 * is cut off: before anybody has all weights of a round, the sums that they come from are at two
 * ranks. Where both are cut off, all others wait for one of them; so they do for any rank where
 * there are no copies.
 */
final class ShardedMesh extends ElasticExchange implements Serving, Measured {

  private final UpdaterShards shards;

  ShardedMesh(ExchangeConfig config, Port port) {
    this(
        config,
        port,
        MeshDescriptor.mesh(config),
        new UpdaterShards(config.length(), config.completedRounds(), port));
  }

  private ShardedMesh(ExchangeConfig config, Port port, Mesh mesh, UpdaterShards shards) {
    super(
        config,
        port,
        mesh.neighbours(config.rank()),
        Window.ofStream(config),
        (view, transport) -> new ShardedMeshRounds(config, mesh, view, port, transport, shards));
    this.shards = shards;
  }

  @Override
  public Range served() {
    return shards.own();
  }

  @Override
  public List<Awaited> awaitedRanks() {
    return shards.awaited(view()::contains).stream()
        .map(of -> Awaited.eitherOf(of.owner(), of.backup()))
        .distinct()
        .toList();
  }
}
