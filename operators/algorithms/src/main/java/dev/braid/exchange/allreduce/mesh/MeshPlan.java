package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.vector.Range;
import java.util.List;

/**
 * Plan of an allreduce on a mesh, as plain data that can be checked: the ranks that cooperate and
 * their ranges, stage by stage. All ranks of a set make the same plan once, and each executes its
 * part ({@link MeshPhases}).
 *
 * @param colours parts of the vector that are reduced concurrently; together they cover the vector
 */
public record MeshPlan(List<Colour> colours) {

  public MeshPlan {
    colours = List.copyOf(colours);
  }

  /**
   * One part of the vector with its stages.
   *
   * @param range the part
   * @param stages stages in order on the way to the sum; the way back is in reverse order
   */
  public record Colour(Range range, List<MeshStage> stages) {

    public Colour {
      stages = List.copyOf(stages);
    }
  }

  /** Returns the number of phases of a round: two per stage, to the sum and back. */
  public int phases() {
    return colours.stream().mapToInt(colour -> 2 * colour.stages().size()).sum();
  }

  /**
   * Returns the range for which a rank has the sum of all gradients before the way back, in a plan
   * of one colour; empty if the rank is a guest.
   *
   * @throws IllegalStateException if the plan has several colours
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

  /** Returns whether a rank is a guest in some stage: it forwards values and gets finished sums. */
  boolean forwards(int rank) {
    return colours.stream()
        .flatMap(colour -> colour.stages().stream())
        .anyMatch(stage -> stage instanceof Forwards to && !to.from(rank).isEmpty());
  }

  /** Returns the number of values that a rank sends in a round. */
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
        // The guest sends the values on the way to the sum, and the host on the way back.
        boolean isOneOfThem = forward.guest() == rank || forward.host() == rank;
        sent += isOneOfThem ? forward.values() : 0;
      }
    }
    return sent;
  }

  /** Returns the plan with rank {@code i} replaced by {@code numbers.get(i)}. */
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
