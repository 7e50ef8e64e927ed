package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.between;
import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.check.ViewSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshChooser;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import dev.braid.topology.StrongComponents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Tests a mesh whose ranks become unreachable and rejoin, and one whose links are cut. */
class MeshHolesTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 60;

  /** Assumed properties of links, on which different plans take the least time. */
  static final List<MeshTraffic.Links> LINKS =
      List.of(new MeshTraffic.Links(1e6, 0), new MeshTraffic.Links(1.25e9, 100e-6));

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Effect> effects() {
    return Set.of(Effect.CUT);
  }

  // ---- unreachable ranks -----------------------------------------------------------------------

  @Example
  void anyRankIsolated_othersGoOnAroundIt_andItCatchesUp() {
    for (Mesh mesh : List.of(new Mesh(2, 2), new Mesh(2, 4), new Mesh(3, 3))) {
      for (int rank = 0; rank < mesh.ranks(); rank++) {
        checkIsolated(mesh, rank);
      }
    }
    // In a larger mesh: a corner, two ranks of an edge, and two of the middle.
    for (int rank : new int[] {0, 1, 7, 5, 10}) {
      checkIsolated(new Mesh(4, 4), rank);
    }
  }

  private static void checkIsolated(Mesh mesh, int rank) {
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      SimulationResult result = run(mesh, algorithm, rank, isolate(rank, 1_000, 6_000));
      assertThat(sizes(result))
          .as("%d of %s, %s", rank, mesh, algorithm)
          .containsExactly(mesh.ranks(), mesh.ranks() - 1, mesh.ranks());
      View without = result.views().get(1);
      assertThat(without.contains(rank)).isFalse();
      assertThat(result.views().get(2).round() - without.round()).isGreaterThan(5);
    }
  }

  @Example
  void aBlockIsolated_othersGoOnAroundIt_andItCatchesUp() {
    Mesh mesh = new Mesh(4, 4);
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      for (long seed : new long[] {3, 4}) {
        List<ChaosEvent> faults = new ArrayList<>();
        for (int rank : mesh.block(0, 2, 2, 2)) {
          faults.addAll(isolate(rank, 1_000, 4_000));
        }
        SimulationResult result = run(mesh, algorithm, seed, faults);
        assertThat(sizes(result)).contains(12).startsWith(16).endsWith(16);
      }
    }
  }

  /** The assumed properties of links decide, so both are run here. */
  @Example
  void aroundABlockAndOnTheWholeMesh_bothWaysAreTaken() {
    Mesh mesh = new Mesh(4, 4);
    for (HoledMesh of : List.of(mesh.whole(), mesh.without(mesh.block(0, 2, 2, 2)))) {
      assertThat(LINKS)
          .extracting(
              links ->
                  new MeshChooser(links)
                      .choose(of, 40, MeshAlgorithm.ROWS_THEN_COLUMNS)
                      .isHierarchical())
          .contains(true, false);
    }
  }

  @Example
  void ofThreeDimensionsAndOfATorus_partsIsolated_othersGoOnAroundThem() {
    for (String form : List.of("2x2x2", "3x4x2", "torus:4x4", "torus:3x5")) {
      Mesh mesh = Mesh.of(form);
      for (MeshAlgorithm algorithm :
          List.of(MeshAlgorithm.ONE_RING, MeshAlgorithm.DIMENSIONS, MeshAlgorithm.COLOURS)) {
        List<ChaosEvent> faults = new ArrayList<>(isolate(0, 1_000, 4_000));
        faults.addAll(isolate(mesh.neighbours(0)[0], 1_000, 4_000));
        SimulationResult result = run(mesh, algorithm, 3, faults);
        assertThat(sizes(result))
            .contains(mesh.ranks() - 2)
            .startsWith(mesh.ranks())
            .endsWith(mesh.ranks());
      }
    }
  }

  /** The rest of the line is not connected: its first two ranks continue. */
  @Example
  void theMiddleOfALineIsolated_theStrongestPartGoesOn() {
    SimulationResult result =
        run(new Mesh(1, 5), MeshAlgorithm.ROW_PAIRS, 1, isolate(2, 1_000, 4_000));
    assertThat(result.views().get(1).members()).containsExactly(0, 1);
    assertThat(sizes(result)).endsWith(5);
  }

  @UnderFaults
  @Property(tries = 200)
  void anySchedule(
      @ForAll @IntRange(min = 2, max = 16) int ranks,
      @ForAll MeshAlgorithm algorithm,
      @ForAll long seed) {
    Mesh mesh = anyMesh(ranks, seed);
    tally.add(run(mesh, algorithm, seed, Partings.random(seed, ranks, 5_000)));
  }

  @UnderFaults
  @Property(tries = 100)
  void anySchedule_withCheckpoints(
      @ForAll @IntRange(min = 2, max = 16) int ranks,
      @ForAll MeshAlgorithm algorithm,
      @ForAll long seed) {
    Mesh mesh = anyMesh(ranks, seed);
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    long events = run(mesh, algorithm, seed, faults).events();
    long[] moments = new SplittableRandom(seed).longs(6, 0, events).toArray();
    SimulationResult result = run(mesh, algorithm, seed, faults, moments);
    tally.add(result);
    assertThat(result.pauses()).isPositive();
  }

  // ---- links that are cut ----------------------------------------------------------------------

  @UnderFaults
  @Property(tries = 100)
  void linksCut_withAPathLeft_leaveNobodyOut_andChangeNoBit(
      @ForAll @IntRange(min = 2, max = 4) int rows,
      @ForAll @IntRange(min = 2, max = 4) int columns,
      @ForAll MeshAlgorithm algorithm,
      @ForAll long seed) {
    Mesh mesh = new Mesh(rows, columns);
    Simulation.Builder sound = withReals(mesh, algorithm, seed);
    Simulation.Builder faulty =
        withReals(mesh, algorithm, seed).faults(linksCut(mesh, new SplittableRandom(seed)));
    SimulationResult result = tally.add(faulty.build().run());
    assertThat(sizes(result)).containsExactly(mesh.ranks());
    assertThat(result.replicas()).isDeepEqualTo(sound.build().run().replicas());
  }

  /**
   * The ends of a ring have a link that is not one of the mesh; a rank at the end of a line has one
   * neighbour.
   */
  @UnderFaults
  @Property(tries = 60)
  void aLinkBetweenRanksThatAreNoNeighbours_isGoneAround(
      @ForAll @IntRange(min = 1, max = 3) int rows,
      @ForAll @IntRange(min = 3, max = 5) int columns,
      @ForAll MeshAlgorithm algorithm,
      @ForAll long seed) {
    Mesh mesh = new Mesh(rows, columns);
    SplittableRandom random = new SplittableRandom(seed);
    int row = random.nextInt(rows);
    List<Integer> ends = List.of(mesh.rank(row, 0), mesh.rank(row, columns - 1));
    int one = ends.get(random.nextInt(2));
    int other = ends.get(0) + ends.get(1) - one;
    Simulation.Builder sound = withReals(mesh, algorithm, seed);
    Simulation.Builder faulty =
        withReals(mesh, algorithm, seed)
            .faults(between(List.of(one), List.of(other), 100, 600_000));
    SimulationResult result = tally.add(faulty.build().run());
    assertThat(sizes(result)).containsExactly(mesh.ranks());
    assertThat(result.replicas()).isDeepEqualTo(sound.build().run().replicas());
    long[] roundEnds = result.roundEndNanos();
    assertThat(roundEnds[roundEnds.length - 1])
        .as("before the link is back")
        .isLessThan(600_000 * MILLIS);
  }

  /**
   * Returns as many cuts as possible, in any order, such that the rest of the mesh stays connected.
   */
  static List<ChaosEvent> linksCut(Mesh mesh, SplittableRandom random) {
    List<List<Integer>> linked = new ArrayList<>();
    for (int rank = 0; rank < mesh.ranks(); rank++) {
      linked.add(new ArrayList<>(Arrays.stream(mesh.neighbours(rank)).boxed().toList()));
    }
    List<ChaosEvent> cuts = new ArrayList<>();
    for (int i = 0; i < 2 * mesh.ranks(); i++) {
      Integer one = random.nextInt(mesh.ranks());
      List<Integer> others = linked.get(one);
      Integer other = others.get(random.nextInt(others.size()));
      others.remove(other);
      linked.get(other).remove(one);
      if (StrongComponents.of(linked).size() > 1) {
        others.add(other);
        linked.get(other).add(one);
      } else {
        long begin = random.nextInt(300);
        cuts.addAll(between(List.of(one), List.of(other), begin, begin + 4_000));
      }
    }
    return cuts;
  }

  private static Simulation.Builder withReals(Mesh mesh, MeshAlgorithm algorithm, long seed) {
    Gradients gradients = Gradients.reals(seed, 40, (rank, round) -> 1);
    return simulation(mesh, algorithm, seed, 40)
        .rounds(20)
        .gradients(gradients)
        .check(() -> ExactRoundSums.agreeing(gradients, mesh.ranks()));
  }

  /** Returns a mesh of any number of dimensions, closed or not. */
  static Mesh anyMesh(int ranks, long seed) {
    SplittableRandom random = Seeds.of(seed, -43);
    List<Integer> sizes = new ArrayList<>();
    int left = ranks;
    for (int factor = 2; factor <= left; factor++) {
      while (left % factor == 0) {
        left /= factor;
        if (sizes.isEmpty() || random.nextBoolean()) {
          sizes.add(factor);
        } else {
          int at = random.nextInt(sizes.size());
          sizes.set(at, factor * sizes.get(at));
        }
      }
    }
    return new Mesh(sizes, random.nextBoolean());
  }

  // ---- a run -----------------------------------------------------------------------------------

  private static Simulation.Builder simulation(
      Mesh mesh, MeshAlgorithm algorithm, long seed, int length) {
    ExchangeOptions options =
        ExchangeOptions.defaults(mesh.ranks())
            .with(MeshDescriptor.MESH, mesh)
            .with(
                MeshDescriptor.ALGORITHM,
                seed % 5 == 0 ? MeshChoice.AUTO : new MeshChoice.Of(algorithm))
            .with(MeshDescriptor.LINKS, LINKS.get((int) Math.floorMod(seed, 2L)));
    return Simulation.of(ExchangeType.MESH::create, mesh.ranks(), length)
        .options(options)
        .chunkLength(1 + Seeds.of(seed, -42).nextInt(length))
        .rounds(ROUNDS)
        .seed(seed)
        .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
        .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
        .maxEvents(10_000_000);
  }

  /**
   * Fails if a sum is wrong, if a replica differs from the one that follows from the views, or if
   * anything is stuck.
   */
  private static SimulationResult run(
      Mesh mesh, MeshAlgorithm algorithm, long seed, List<ChaosEvent> faults, long... checkpoints) {
    int length = 1 + Seeds.of(seed, -41).nextInt(60);
    Gradients gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2));
    List<ViewSums> checks = new ArrayList<>();
    SimulationResult result =
        simulation(mesh, algorithm, seed, length)
            .faults(faults)
            .checkpointsAfterEvents(checkpoints)
            .gradients(gradients)
            .check(
                () -> {
                  checks.add(new ViewSums(gradients, mesh.ranks()));
                  return checks.get(checks.size() - 1);
                })
            .build()
            .run();
    float[] expected = checks.get(0).expected(length);
    for (float[] replica : result.replicas()) {
      assertThat(replica).as("seed %d, %s", seed, faults).isEqualTo(expected);
    }
    assertThat(result.unreleased()).as("slices not released").isZero();
    return result;
  }

  private static List<Integer> sizes(SimulationResult result) {
    return result.views().stream().map(View::size).toList();
  }
}
