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
   * where that is none, or has no shard itself; or one without a shard, where nobody else has one.
   * Itself if it is alone, or there are no copies.
   */
  int backup(int member) {
    return from(far(member))
        .filter(other -> other != member && !shard(other).isEmpty())
        .findFirst()
        .orElseGet(
            () -> from(far(member)).filter(other -> other != member).findFirst().orElse(member));
  }

  /** Members from a place of the mesh on; none where there are no copies. */
  private IntStream from(int first) {
    return IntStream.range(0, hasCopies ? mesh.ranks() : 0)
        .map(i -> (first + i) % mesh.ranks())
        .filter(view::contains);
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
