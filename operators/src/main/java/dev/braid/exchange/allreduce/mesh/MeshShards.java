package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.allreduce.shards.ShardHolders;
import dev.braid.exchange.participation.View;
import dev.braid.topology.Mesh;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who of a view owns which shard, and who has the backup of it.
 *
 * @param stages what members do
 * @param hasCopies whether shards have copies
 */
record MeshShards(MeshPlan stages, Mesh mesh, View view, boolean hasCopies) {

  static MeshShards of(ExchangeConfig config, Mesh mesh, View view) {
    return new MeshShards(
        MeshDescriptor.plan(config, mesh.only(view.members())),
        mesh,
        view,
        config.options().get(MeshDescriptor.COPIES) > 0);
  }

  /** A member's shard; empty if it only forwards. */
  Range shard(int member) {
    return stages.served(member);
  }

  /**
   * Who has the backup of a member's shard: the member half of the mesh away in each dimension, so
   * that a block of no more than half of the mesh in some dimension has not both; or the next one,
   * where that is none, or has no shard itself. Itself if no other has one, or there are no copies.
   */
  int backup(int member) {
    int far = far(member);
    return IntStream.range(0, hasCopies ? mesh.ranks() : 0)
        .map(i -> (far + i) % mesh.ranks())
        .filter(other -> other != member && view.contains(other) && !shard(other).isEmpty())
        .findFirst()
        .orElse(member);
  }

  /** Who has which shard. */
  List<ShardHolders> holders() {
    return view.members().stream()
        .map(member -> new ShardHolders(shard(member), member, backup(member)))
        .filter(of -> !of.range().isEmpty())
        .toList();
  }

  private int far(int member) {
    List<Integer> places = new ArrayList<>();
    for (int dimension = 0; dimension < mesh.dimensions(); dimension++) {
      int size = mesh.size(dimension);
      places.add((mesh.place(member, dimension) + size / 2) % size);
    }
    return mesh.rankAt(places);
  }

  /** Who has the shards of which a member has the backup. */
  List<ShardHolders> copiedAt(int member) {
    return holders().stream().filter(of -> of.backup() == member && of.owner() != member).toList();
  }
}
