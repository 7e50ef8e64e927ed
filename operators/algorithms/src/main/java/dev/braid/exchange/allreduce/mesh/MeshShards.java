package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.allreduce.shards.UpdaterShards.ShardHolders;
import dev.braid.exchange.participation.View;
import dev.braid.topology.Mesh;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Owners and backups of the shards in a view.
 *
 * @param stages plan of the view's members
 * @param mesh mesh of all ranks
 * @param view the view
 * @param hasCopies whether shards have backups
 */
record MeshShards(MeshPlan stages, Mesh mesh, View view, boolean hasCopies) {

  static MeshShards of(ExchangeConfig config, Mesh mesh, View view) {
    return new MeshShards(
        MeshDescriptor.plan(config, mesh.only(view.members())),
        mesh,
        view,
        config.options().get(MeshDescriptor.COPIES) > 0);
  }

  /** Returns a member's shard; empty if the member only forwards. */
  Range shard(int member) {
    return stages.served(member);
  }

  /**
   * Returns the rank with the backup of a member's shard. It is half of the mesh away in each
   * dimension, so that a failed block of at most half of the mesh in some dimension does not
   * contain both ranks. If that rank is not a member or has no shard itself, the next such rank is
   * the backup. Returns the member itself if no other member has a shard, or without copies.
   */
  int backup(int member) {
    int far = far(member);
    return IntStream.range(0, hasCopies ? mesh.ranks() : 0)
        .map(i -> (far + i) % mesh.ranks())
        .filter(other -> other != member && view.contains(other) && !shard(other).isEmpty())
        .findFirst()
        .orElse(member);
  }

  /** Returns the holders of all shards that are not empty. */
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

  /** Returns the holders of the shards that a member backs up for others. */
  List<ShardHolders> copiedAt(int member) {
    return holders().stream().filter(of -> of.backup() == member && of.owner() != member).toList();
  }
}
