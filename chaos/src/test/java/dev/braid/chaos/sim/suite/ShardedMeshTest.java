package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A mesh whose ranks take the step over a shard each makes the bits of one whose ranks all take
 * every step, with optimisers that have a state.
 */
class ShardedMeshTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final List<String> UPDATERS = List.of("sgd", "momentum", "adam", "amsgrad");
  private static final List<String> MESHES =
      List.of("1x1", "1x2", "1x5", "2x2", "3x3", "2x4", "4x4", "2x2x2", "3x4x2", "torus:3x3");

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Effect> effects() {
    return Set.of(Effect.CUT);
  }

  @Example
  void itMakesTheSameBits() {
    for (String form : MESHES) {
      Mesh mesh = Mesh.of(form);
      for (String updater : UPDATERS) {
        for (MeshChoice choice : choices(mesh)) {
          float[][] sharded = run(mesh, choice, updater, 7, true).replicas();
          assertThat(sharded)
              .as("%s, %s, %s", form, choice, updater)
              .isDeepEqualTo(run(mesh, choice, updater, 7, false).replicas());
          assertThat(sharded[0][0]).isNotZero();
        }
      }
    }
  }

  /** Without those of several colours, whose shares are no range. */
  private static List<MeshChoice> choices(Mesh mesh) {
    return Arrays.stream(MeshAlgorithm.values())
        .filter(algorithm -> algorithm.isFor(mesh) && !algorithm.hasColours())
        .<MeshChoice>map(MeshChoice.Of::new)
        .toList();
  }

  private static SimulationResult run(
      Mesh mesh, MeshChoice choice, String updater, long seed, boolean isSharded) {
    return simulation(mesh, choice, updater, seed, isSharded).build().run();
  }

  @UnderFaults
  @Property(tries = 100)
  void faultsAndCheckpoints_changeNoBit(@ForAll long seed) {
    SplittableRandom random = Seeds.of(seed, -60);
    Mesh mesh = Mesh.of(MESHES.get(1 + random.nextInt(MESHES.size() - 1)));
    List<MeshChoice> choices = choices(mesh);
    MeshChoice choice = choices.get(random.nextInt(choices.size()));
    String updater = UPDATERS.get(random.nextInt(UPDATERS.size()));
    FaultRuns.faultsChangeNoBit(() -> simulation(mesh, choice, updater, seed, true), tally);
  }

  /** Nobody has its part of the updater's state: all wait, and go on to the same bits. */
  @Example
  void aRankCutOff_isWaitedFor() {
    Mesh mesh = new Mesh(2, 4);
    Simulation.Builder sound = simulation(mesh, MeshChoice.AUTO, "adam", 3, true);
    Simulation.Builder cut =
        simulation(mesh, MeshChoice.AUTO, "adam", 3, true).faults(isolate(5, 20, 5_000));
    SimulationResult waited = cut.build().run();
    SimulationResult whole = sound.build().run();
    assertThat(waited.replicas()).isDeepEqualTo(whole.replicas());
    assertThat(last(waited)).isGreaterThan(last(whole) + 4_000 * MILLIS);
    assertThat(waited.views()).hasSize(whole.views().size());
  }

  private static long last(SimulationResult result) {
    long[] ends = result.roundEndNanos();
    return ends[ends.length - 1];
  }

  private static Simulation.Builder simulation(
      Mesh mesh, MeshChoice choice, String updater, long seed, boolean isSharded) {
    SplittableRandom random = Seeds.of(seed, -61);
    int length = 1 + random.nextInt(120);
    ExchangeOptions options =
        ExchangeOptions.defaults(mesh.ranks())
            .with(MeshDescriptor.MESH, mesh)
            .with(MeshDescriptor.ALGORITHM, choice)
            .with(RingDescriptor.SHARDED_UPDATES, isSharded);
    return Simulation.of(ExchangeType.MESH::create, mesh.ranks(), length)
        .options(options)
        .chunkLength(1 + random.nextInt(length))
        .rounds(8)
        .seed(seed)
        .computeTime(ComputeTime.uniform(seed, 0, 20 * MILLIS))
        .gradients(Gradients.reals(seed, length, Gradients.Samples.upTo(seed, 2)))
        .updater(updater(updater))
        .maxEvents(20_000_000);
  }

  private static Updater updater(String name) {
    return UpdaterSpec.of(name, OptionalDouble.of(0.01)).create();
  }
}
