package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Stages that bring the sums of smaller rings to full rings. */
final class SmallerRings {

  /** A rank with its part of a sum that is forwarded. */
  private record Guest(int rank, Range shard) {}

  private SmallerRings() {}

  /**
   * Returns the stages after the rings themselves; empty if there is no smaller ring.
   *
   * @param isHierarchical whether smaller rings side by side add up before they forward
   */
  static List<MeshStage> stages(
      HoledMesh mesh, List<MemberRing> smaller, List<MemberRing> full, boolean isHierarchical) {
    List<MeshStage> stages = new ArrayList<>();
    if (!smaller.isEmpty()) {
      List<List<MemberRing>> groups =
          isHierarchical
              ? sideBySide(mesh.mesh(), smaller)
              : smaller.stream().map(List::of).toList();
      List<MemberRing> across =
          groups.stream().filter(group -> group.size() > 1).flatMap(SmallerRings::across).toList();
      if (!across.isEmpty()) {
        stages.add(new Rings(across));
      }
      int apart = isHierarchical ? Math.max(1, full.size() / groups.size()) : 1;
      stages.add(new Forwards(toFullRings(groups, full, apart)));
    }
    return stages;
  }

  /** Returns smaller rings in groups, in which each ring has links to the next at all positions. */
  private static List<List<MemberRing>> sideBySide(Mesh mesh, List<MemberRing> smaller) {
    List<List<MemberRing>> groups = new ArrayList<>();
    for (MemberRing ring : smaller) {
      groups.stream()
          .filter(group -> areSideBySide(mesh, group.get(group.size() - 1), ring))
          .findFirst()
          .orElseGet(
              () -> {
                List<MemberRing> group = new ArrayList<>();
                groups.add(group);
                return group;
              })
          .add(ring);
    }
    return groups;
  }

  private static boolean areSideBySide(Mesh mesh, MemberRing one, MemberRing other) {
    int places = one.members().size();
    return places == other.members().size()
        && IntStream.range(0, places)
            .allMatch(i -> mesh.areNeighbours(one.members().get(i), other.members().get(i)));
  }

  /** Returns one ring for each position of a group's rings, over their common shard there. */
  private static Stream<MemberRing> across(List<MemberRing> group) {
    MemberRing first = group.get(0);
    return IntStream.range(0, first.members().size())
        .mapToObj(
            place ->
                new MemberRing(
                    group.stream().map(ring -> ring.members().get(place)).toList(),
                    first.shard(place)));
  }

  /**
   * Returns forwards that are spread over all full rings, so that no single ring's links carry all
   * the data.
   *
   * @param apart distance, in full rings, between the first full rings of consecutive groups
   */
  private static List<Forward> toFullRings(
      List<List<MemberRing>> groups, List<MemberRing> full, int apart) {
    List<Forward> forwards = new ArrayList<>();
    for (int layer = 0; layer < groups.size(); layer++) {
      for (Guest guest : guests(groups.get(layer))) {
        for (int j = 0; j < full.get(0).members().size(); j++) {
          MemberRing hosts = full.get((layer * apart + j) % full.size());
          Range piece = guest.shard().common(hosts.shard(j));
          if (!piece.isEmpty()) {
            forwards.add(new Forward(guest.rank(), hosts.members().get(j), layer, List.of(piece)));
          }
        }
      }
    }
    return forwards;
  }

  /** Returns the ranks that have a group's sum. */
  private static List<Guest> guests(List<MemberRing> group) {
    List<MemberRing> last = group.size() > 1 ? across(group).toList() : group;
    return last.stream()
        .flatMap(
            ring ->
                IntStream.range(0, ring.members().size())
                    .mapToObj(i -> new Guest(ring.members().get(i), ring.shard(i))))
        .toList();
  }
}
