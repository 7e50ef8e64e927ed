package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshCost;
import dev.braid.cost.MeshCost.Circle;
import dev.braid.cost.MeshCost.Step;
import dev.braid.cost.MeshCost.Way;
import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Takes the algorithm with the least predicted time for a mesh, its holes and a vector: by what
 * links are said to be like, and not by what a run measures, which would make sums, that each
 * algorithm adds up in another order, depend on the weather. So all ranks choose alike, in every
 * run and after every restart.
 *
 * @param links what each link of the mesh is like
 */
public record MeshChooser(MeshCost.Links links) {

  /** Of a message; what it really is depends on network buffers, and may be less. */
  private static final int CHUNK_BYTES = 1 << 18;

  /** The algorithm for the ranks that are left of a mesh, over a vector of a length. */
  public MeshAlgorithm choose(HoledMesh mesh, int length) {
    return choose(mesh, length, algorithm -> true);
  }

  /** The same of those of a kind, which one ring is of. */
  MeshAlgorithm choose(HoledMesh mesh, int length, Predicate<MeshAlgorithm> kind) {
    MeshAlgorithm best = MeshAlgorithm.ONE_RING;
    double least = Double.POSITIVE_INFINITY;
    // Of two that are the same on a mesh it is the first.
    for (MeshAlgorithm algorithm : candidates(mesh, kind)) {
      double seconds = seconds(mesh, length, algorithm);
      if (seconds < least) {
        best = algorithm;
        least = seconds;
      }
    }
    return best;
  }

  private static List<MeshAlgorithm> candidates(HoledMesh mesh, Predicate<MeshAlgorithm> kind) {
    return Arrays.stream(MeshAlgorithm.values())
        .filter(algorithm -> algorithm.isFor(mesh.mesh()))
        .filter(kind)
        .toList();
  }

  /** What an allreduce is predicted to take, in seconds. */
  double seconds(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    MeshCost cost = new MeshCost(mesh, links, CHUNK_BYTES);
    // As much there as back.
    return 2 * cost.seconds(steps(MeshPlanner.plan(mesh, length, algorithm)));
  }

  /** What colours do at the same time: rings, each with what is forwarded to it in turn. */
  private static List<Step> steps(MeshPlan plan) {
    List<List<Step>> ofColours = plan.colours().stream().map(MeshChooser::steps).toList();
    int most = ofColours.stream().mapToInt(List::size).max().orElse(0);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      int index = i;
      List<Step> beside =
          ofColours.stream().filter(of -> index < of.size()).map(of -> of.get(index)).toList();
      steps.add(
          new Step(
              beside.stream().flatMap(step -> step.circles().stream()).toList(),
              beside.stream().flatMap(step -> step.ways().stream()).toList()));
    }
    return steps;
  }

  private static List<Step> steps(Colour colour) {
    List<Step> steps = new ArrayList<>();
    List<Way> inTurn = new ArrayList<>();
    for (MeshStage stage : colour.stages()) {
      if (stage instanceof Rings rings) {
        steps.add(new Step(circles(rings), inTurn));
        inTurn.clear();
      } else if (stage instanceof Forwards forwards && forwards.isInTurn()) {
        inTurn.addAll(ways(forwards));
      } else if (stage instanceof Forwards forwards) {
        steps.add(new Step(List.of(), ways(forwards)));
      }
    }
    return steps;
  }

  private static List<Circle> circles(Rings rings) {
    return rings.rings().stream()
        .map(ring -> new Circle(ring.members(), bytes(ring.range().length())))
        .toList();
  }

  private static List<Way> ways(Forwards forwards) {
    return forwards.forwards().stream()
        .map(
            forward ->
                new Way(
                    forward.guest(),
                    forward.host(),
                    bytes(forward.values()),
                    forwards.isInTurn() && !forward.pieces().isEmpty()
                        ? bytes(forward.pieces().get(0).length())
                        : 0))
        .toList();
  }

  private static double bytes(long values) {
    return (double) values * Float.BYTES;
  }
}
