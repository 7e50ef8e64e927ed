package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshPlan;
import dev.braid.exchange.allreduce.mesh.MeshPlanner;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.exchange.allreduce.mesh.PlannedAllreduce;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Tests that on a mesh with holes each rank sends the values of its plan, and that sums are exact.
 */
class MeshPlanTrafficTest {

  private static final int ROUNDS = 2;

  @Property(tries = 100)
  void aroundAnyHoles_eachRankSendsWhatItsPlanHas(
      @ForAll long seed, @ForAll MeshAlgorithm algorithm, @ForAll boolean isHierarchical) {
    SplittableRandom random = Seeds.of(seed, -70);
    Mesh mesh = anyMesh(random);
    if (!algorithm.isFor(mesh)) {
      return;
    }
    Variant variant = new Variant(algorithm, isHierarchical);
    HoledMesh holed = mesh.without(holes(mesh, random));
    List<Integer> places = Arrays.stream(holed.live()).boxed().toList();
    List<Integer> numbers = IntStream.range(0, mesh.ranks()).mapToObj(places::indexOf).toList();
    int length = 1 + random.nextInt(200);
    MeshPlan plan = MeshPlanner.plan(holed, length, variant).renumbered(numbers);
    Gradients gradients = Gradients.wholeNumbers(seed, length, (rank, round) -> 1);
    SimulationResult result =
        Simulation.of(
                ExchangeRunner.bare((config, port) -> new PlannedAllreduce(config, port, plan)),
                places.size(),
                length)
            .chunkLength(1 + random.nextInt(length))
            .rounds(ROUNDS)
            .gradients(gradients)
            .check(() -> ExactRoundSums.exact(gradients, places.size()))
            .build()
            .run();
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    for (int rank = 0; rank < places.size(); rank++) {
      assertThat(result.traffic().valuesSentBy(rank))
          .as("rank %d of %s, %s, %d elements", places.get(rank), holed, variant, length)
          .isEqualTo(ROUNDS * plan.valuesSent(rank));
    }
  }

  private static Mesh anyMesh(SplittableRandom random) {
    return random.nextInt(4) == 0
        ? Mesh.of("3x4x2")
        : new Mesh(1 + random.nextInt(8), 1 + random.nextInt(8));
  }

  /** Returns a random fifth of the ranks, but never all. */
  private static int[] holes(Mesh mesh, SplittableRandom random) {
    int stays = random.nextInt(mesh.ranks());
    return IntStream.range(0, mesh.ranks())
        .filter(rank -> rank != stays && random.nextInt(5) == 0)
        .toArray();
  }
}
