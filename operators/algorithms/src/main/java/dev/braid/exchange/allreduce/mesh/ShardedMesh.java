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
 * Allreduce on a mesh with updates sharded over the ranks (Kumar and Jouppi 2020, §4; Xu et al.,
 * "Automatic cross-replica sharding of weight update", 2020). On the way to the sum each rank gets
 * a part of the sum of all gradients. It takes the step there, and weights instead of sums are sent
 * on the way back. A rank that only forwards has no part, and gets all weights.
 *
 * <p>Shards are those of the view's plan, and so change hands when ranks leave or rejoin: {@link
 * UpdaterShards}. A distant rank has a second copy of each shard, so that the others continue if
 * one of the two is unreachable: before any rank has all weights of a round, the sums behind them
 * are at two ranks. If both are unreachable, all other ranks wait for one of them. Without copies,
 * they wait for any unreachable rank.
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
        (view, transport) -> new ShardedMeshRounds(config, mesh, view, transport, shards));
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
