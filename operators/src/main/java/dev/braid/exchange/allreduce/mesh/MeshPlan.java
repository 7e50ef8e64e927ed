package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.vector.Range;
import java.util.List;

/**
 * How an allreduce goes on a mesh, as plain data that can be checked: which ranks do what together,
 * over which ranges, stage by stage. It is made once for a set of ranks, the same at all of them,
 * and a rank does its part of it ({@link MeshPhases}).
 *
 * @param colours parts of the vector that are reduced beside each other, and are together all of it
 */
public record MeshPlan(List<Colour> colours) {

  public MeshPlan {
    colours = List.copyOf(colours);
  }

  /**
   * One part of the vector.
   *
   * @param stages one after the other on the way to the sum, and then in reverse
   */
  public record Colour(Range range, List<MeshStage> stages) {

    public Colour {
      stages = List.copyOf(stages);
    }
  }

  /** How many phases a round has: each stage is one on the way to the sum, and one back. */
  public int phases() {
    return colours.stream().mapToInt(colour -> 2 * colour.stages().size()).sum();
  }

  /**
   * Of what a rank has the sum of all gradients before the way back, where the plan has one colour;
   * nothing, if it is a guest.
   */
  public Range served(int rank) {
    if (colours.size() > 1) {
      throw new IllegalStateException(
          "plan of "
              + colours.size()
              + " colours: must have one, so that a rank's sums are one range");
    }
    Range range = colours.get(0).range();
    for (MeshStage stage : colours.get(0).stages()) {
      range = stage.left(rank, range);
    }
    return range;
  }

  /** Whether a rank is a guest in some stage: it forwards what it has, and gets finished sums. */
  boolean forwards(int rank) {
    return colours.stream()
        .flatMap(colour -> colour.stages().stream())
        .anyMatch(stage -> stage instanceof Forwards to && !to.from(rank).isEmpty());
  }

  /** About how many messages there are in a round where each has a block. */
  public long messages() {
    return colours.stream()
        .flatMap(colour -> colour.stages().stream())
        .filter(Rings.class::isInstance)
        .flatMap(stage -> ((Rings) stage).rings().stream())
        .mapToLong(ring -> 2L * ring.members().size() * (ring.members().size() - 1))
        .sum();
  }

  /** How many values a rank sends in a round. */
  public long valuesSent(int rank) {
    return colours.stream()
        .flatMap(colour -> colour.stages().stream())
        .mapToLong(stage -> valuesSent(rank, stage))
        .sum();
  }

  private static long valuesSent(int rank, MeshStage stage) {
    long sent = 0;
    if (stage instanceof Rings rings) {
      for (MemberRing ring : rings.rings()) {
        int position = ring.members().indexOf(rank);
        sent += position < 0 ? 0 : ring.valuesSent(position);
      }
    } else if (stage instanceof Forwards forwards) {
      for (Forward forward : forwards.forwards()) {
        // There, and back.
        boolean isOneOfThem = forward.guest() == rank || forward.host() == rank;
        sent += isOneOfThem ? forward.values() : 0;
      }
    }
    return sent;
  }

  /** The same plan among ranks with other numbers: that of a rank is at its place. */
  public MeshPlan renumbered(List<Integer> numbers) {
    return new MeshPlan(
        colours.stream()
            .map(
                colour ->
                    new Colour(
                        colour.range(),
                        colour.stages().stream().map(stage -> stage.renumbered(numbers)).toList()))
            .toList());
  }
}
