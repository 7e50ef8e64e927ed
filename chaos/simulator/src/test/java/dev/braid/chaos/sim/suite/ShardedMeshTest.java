package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.check.ViewSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured.Awaited;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.learner.optimiser.LearningRateSchedule;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests that a mesh whose ranks take the step over a shard each has the same bits as one whose
 * ranks all take every step, with optimisers that have a state.
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

  /** Returns the algorithms without those of several colours, whose shares are not ranges. */
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
  void linksCut_andCheckpoints_changeNoBit(@ForAll long seed) {
    SplittableRandom random = Seeds.of(seed, -60);
    Mesh mesh = Mesh.of(MESHES.get(1 + random.nextInt(MESHES.size() - 1)));
    List<MeshChoice> choices = choices(mesh);
    MeshChoice choice = choices.get(random.nextInt(choices.size()));
    String updater = UPDATERS.get(random.nextInt(UPDATERS.size()));
    float[][] sound = run(mesh, choice, updater, seed, true).replicas();
    List<ChaosEvent> faults = MeshHolesTest.linksCut(mesh, new SplittableRandom(seed));
    SimulationResult faulty =
        tally.add(simulation(mesh, choice, updater, seed, true).faults(faults).build().run());
    SimulationResult saved =
        simulation(mesh, choice, updater, seed, true)
            .faults(faults)
            .checkpointsAfterEvents(faulty.events() / 3, faulty.events() / 2)
            .build()
            .run();
    assertThat(faulty.replicas()).isDeepEqualTo(sound);
    assertThat(saved.replicas()).isDeepEqualTo(sound);
    assertThat(saved.pauses()).isPositive();
  }

  /**
   * No other rank has the unreachable rank's part of the updater's state: all wait, and continue to
   * the same bits.
   */
  @Example
  void withoutCopies_aRankCutOff_isWaitedFor() {
    Mesh mesh = new Mesh(2, 4);
    ExchangeOptions options = options(mesh, MeshChoice.AUTO, true).with(MeshDescriptor.COPIES, 0);
    SimulationResult whole =
        simulation(mesh, MeshChoice.AUTO, "adam", 3, true).options(options).build().run();
    SimulationResult waited =
        simulation(mesh, MeshChoice.AUTO, "adam", 3, true)
            .options(options)
            .faults(isolate(5, 20, 5_000))
            .build()
            .run();
    assertThat(waited.replicas()).isDeepEqualTo(whole.replicas());
    assertThat(last(waited)).isGreaterThan(last(whole) + 4_000 * MILLIS);
  }

  /**
   * The unreachable ranks have all copies of some shards: all wait, and no part of the state is
   * lost.
   */
  @Example
  void anOwnerAndItsBackupCutOff_areWaitedFor() {
    Mesh mesh = new Mesh(4, 4);
    List<ChaosEvent> faults = new ArrayList<>(isolate(5, 1_000, 6_000));
    faults.addAll(isolate(15, 1_000, 6_000));
    SimulationResult result = amongViews(mesh, MeshChoice.AUTO, "amsgrad", 4, faults);
    assertThat(sizes(result)).startsWith(16).endsWith(16).contains(14);
    int without = sizes(result).indexOf(14);
    assertThat(result.views().get(without + 1).round())
        .as("no round without them")
        .isEqualTo(result.views().get(without).round());
  }

  /** With two ranks that have the same parts of the state, one is sufficient. */
  @Example
  void whomOthersWaitForIsKnown() {
    for (int copies = 0; copies <= 1; copies++) {
      List<ChaosEvent> faults = new ArrayList<>(isolate(5, 20, 5_000));
      faults.addAll(isolate(copies == 0 ? 6 : 15, 20, 6_000));
      Set<Awaited> awaited = awaited(new Mesh(4, 4), copies, faults);
      if (copies == 0) {
        assertThat(awaited).containsExactlyInAnyOrder(new Awaited(5, 5), new Awaited(6, 6));
      } else {
        assertThat(awaited).containsExactly(new Awaited(5, 15));
      }
    }
    List<ChaosEvent> one = isolate(5, 20, 5_000);
    assertThat(awaited(new Mesh(4, 4), 1, one)).as("the copy is there").isEmpty();
  }

  /**
   * Returns the ranks that any rank in the view has reported that it waits for, in a run under
   * these faults.
   */
  private static Set<Awaited> awaited(Mesh mesh, int copies, List<ChaosEvent> faults) {
    ExchangeRunner[] ranks = new ExchangeRunner[mesh.ranks()];
    Set<Awaited> awaited = new HashSet<>();
    UpdateCheck watch =
        new UpdateCheck() {
          @Override
          public void receiving(int rank, Message message) {
            if (ranks[rank].view().orElseThrow().contains(rank)) {
              awaited.addAll(ranks[rank].awaitedRanks());
            }
          }
        };
    ExchangeOptions options =
        options(mesh, MeshChoice.AUTO, true).with(MeshDescriptor.COPIES, copies);
    Simulation.of(
            (config, port) -> {
              ExchangeRunner exchange = ExchangeType.MESH.create(config, port);
              ranks[config.rank()] = exchange;
              return exchange;
            },
            mesh.ranks(),
            40)
        .options(options)
        .rounds(8)
        .gradients(Gradients.reals(3, 40, (rank, round) -> 1))
        .computeTime(ComputeTime.constant(20 * MILLIS))
        .updater(updater("adam"))
        .faults(faults)
        .check(() -> watch)
        .maxEvents(20_000_000)
        .build()
        .run();
    return awaited;
  }

  @Example
  void aBlockCutOff_othersGoOnWithTheCopiesOfItsShards() {
    for (String form : List.of("2x4", "4x4")) {
      Mesh mesh = Mesh.of(form);
      for (MeshChoice choice : choices(mesh)) {
        for (String updater : UPDATERS) {
          List<ChaosEvent> faults = new ArrayList<>();
          for (int rank : mesh.block(0, 2, 2, 2)) {
            faults.addAll(isolate(rank, 1_000, 4_000));
          }
          SimulationResult result = amongViews(mesh, choice, updater, 5, faults);
          assertThat(sizes(result))
              .as("%s, %s, %s", form, choice, updater)
              .startsWith(mesh.ranks())
              .endsWith(mesh.ranks())
              .contains(mesh.ranks() - 4);
          View without = result.views().get(sizes(result).indexOf(mesh.ranks() - 4));
          assertThat(result.views().get(sizes(result).size() - 1).round() - without.round())
              .isGreaterThan(5);
        }
      }
    }
  }

  /**
   * The rank becomes unreachable at any moment of a round: before its backup has the sum, or after,
   * when others have the weights or not. Ranks 1 and 7 are opposite each other and in no common
   * ring, so all sums from one to the other are for the copy.
   */
  @Example
  void anOwnerCutOffAtAnyMoment_leavesItsShardAsItsBackupHasIt() {
    Mesh mesh = new Mesh(2, 4);
    MeshChoice rows = new MeshChoice.Of(MeshAlgorithm.DIMENSIONS);
    int voidAfterTheSum = 0;
    int completeAfterTheSum = 0;
    for (int millis = 1_150; millis < 1_210; millis++) {
      String updater = UPDATERS.get(1 + millis % 3);
      List<ChaosEvent> cut = isolate(1, millis, 4_000);
      AtomicLong kept = new AtomicLong(-1);
      List<Long> atViews = new ArrayList<>();
      UpdateCheck watch =
          new UpdateCheck() {
            @Override
            public void receiving(int rank, Message message) {
              if (rank == 7 && message.origin() == 1 && message.body() instanceof Sum) {
                kept.set(message.round());
              }
            }

            @Override
            public void entered(int rank, View view) {
              if (rank == 7 && !view.contains(1) && atViews.isEmpty()) {
                atViews.add(view.round() - kept.get());
              }
            }
          };
      amongViews(mesh, rows, updater, 5, cut, watch);
      assertThat(atViews).as("no rank has weights whose sum has no copy").isSubsetOf(0L, 1L);
      voidAfterTheSum += atViews.contains(0L) ? 1 : 0;
      completeAfterTheSum += atViews.contains(1L) ? 1 : 0;
    }
    assertThat(voidAfterTheSum).as("rounds void after the sum was sent").isPositive();
    assertThat(completeAfterTheSum).as("rounds complete after the sum was sent").isPositive();
  }

  /** A copy costs its owner one vector of its shard, not as many as the state has. */
  @Example
  void aCopyCostsTheSumOfTheShard() {
    Mesh mesh = new Mesh(2, 2);
    long[] bytes = new long[2];
    for (String updater : List.of("momentum", "adam", "amsgrad")) {
      for (int copies = 0; copies <= 1; copies++) {
        SimulationResult result =
            Simulation.of(ExchangeType.MESH::create, 4, 4_000)
                .options(
                    options(mesh, new MeshChoice.Of(MeshAlgorithm.DIMENSIONS), true)
                        .with(MeshDescriptor.COPIES, copies))
                .rounds(10)
                .gradients(Gradients.reals(3, 4_000, (rank, round) -> 1))
                .updater(updater(updater))
                .build()
                .run();
        bytes[copies] = result.traffic().bytes();
      }
      long sums = 10 * 4_000 * Float.BYTES;
      assertThat(bytes[1] - bytes[0]).as(updater).isBetween(sums, sums + sums / 20);
    }
  }

  @UnderFaults
  @Property(tries = 300)
  void amongRanksThatComeAndGo_stepsAreThoseOfOneRankThatTakesAll(
      @ForAll @IntRange(min = 2, max = 16) int ranks, @ForAll long seed) {
    tally.add(amongViews(ranks, seed));
  }

  @UnderFaults
  @Property(tries = 150)
  void amongRanksThatComeAndGo_checkpointsChangeNothingOfThat(
      @ForAll @IntRange(min = 2, max = 16) int ranks, @ForAll long seed) {
    long events = amongViews(ranks, seed).events();
    long[] moments = new SplittableRandom(seed).longs(6, 0, events).toArray();
    SimulationResult result = amongViews(ranks, seed, moments);
    tally.add(result);
    assertThat(result.pauses()).isPositive();
  }

  private static SimulationResult amongViews(int ranks, long seed, long... checkpoints) {
    SplittableRandom random = Seeds.of(seed, -62);
    Mesh mesh = MeshHolesTest.anyMesh(ranks, seed);
    List<MeshChoice> choices = choices(mesh);
    MeshChoice choice = choices.get(random.nextInt(choices.size()));
    String updater = UPDATERS.get(random.nextInt(UPDATERS.size()));
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    return amongViews(mesh, choice, updater, seed, faults, checkpoints);
  }

  private static SimulationResult amongViews(
      Mesh mesh,
      MeshChoice choice,
      String updater,
      long seed,
      List<ChaosEvent> faults,
      long... checkpoints) {
    return amongViews(mesh, choice, updater, seed, faults, UpdateCheck.NONE, checkpoints);
  }

  /**
   * Fails if replicas differ from those that follow from the views, whichever ranks have taken the
   * steps, or if anything is stuck.
   */
  private static SimulationResult amongViews(
      Mesh mesh,
      MeshChoice choice,
      String updater,
      long seed,
      List<ChaosEvent> faults,
      UpdateCheck watch,
      long... checkpoints) {
    int length = 1 + Seeds.of(seed, -41).nextInt(60);
    Gradients gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2));
    List<StepsOfViews> checks = new ArrayList<>();
    SimulationResult result =
        Simulation.of(ExchangeType.MESH::create, mesh.ranks(), length)
            .options(options(mesh, choice, true))
            .chunkLength(1 + Seeds.of(seed, -42).nextInt(length))
            .rounds(60)
            .seed(seed)
            .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
            .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
            .updater(updater(updater))
            .maxEvents(10_000_000)
            .faults(faults)
            .checkpointsAfterEvents(checkpoints)
            .gradients(gradients)
            .check(
                () -> {
                  checks.add(new StepsOfViews(new ViewSums(gradients, mesh.ranks()), watch));
                  return checks.get(checks.size() - 1);
                })
            .build()
            .run();
    float[] expected = checks.get(0).views().expected(length, updater(updater));
    for (float[] replica : result.replicas()) {
      assertThat(replica)
          .as("seed %d, %s, %s, %s, %s", seed, mesh, choice, updater, faults)
          .isEqualTo(expected);
    }
    assertThat(result.unreleased()).as("slices not released").isZero();
    return result;
  }

  /** Checks the guarantees of views, except that each rank applies all sums. */
  private record StepsOfViews(ViewSums views, UpdateCheck watch) implements UpdateCheck {

    @Override
    public void receiving(int rank, Message message) {
      watch.receiving(rank, message);
    }

    @Override
    public void completed(int rank, long round) {
      views.completed(rank, round);
    }

    @Override
    public void counts(int rank, long round) {
      views.counts(rank, round);
    }

    @Override
    public void entered(int rank, View view) {
      views.entered(rank, view);
      watch.entered(rank, view);
    }

    @Override
    public void setBack(int rank, long round) {
      views.setBack(rank, round);
    }

    @Override
    public void caughtUp(int rank, long round) {
      views.caughtUp(rank, round);
    }
  }

  private static List<Integer> sizes(SimulationResult result) {
    return result.views().stream().map(View::size).toList();
  }

  private static long last(SimulationResult result) {
    long[] ends = result.roundEndNanos();
    return ends[ends.length - 1];
  }

  private static Simulation.Builder simulation(
      Mesh mesh, MeshChoice choice, String updater, long seed, boolean isSharded) {
    SplittableRandom random = Seeds.of(seed, -61);
    int length = 1 + random.nextInt(120);
    return Simulation.of(ExchangeType.MESH::create, mesh.ranks(), length)
        .options(
            options(mesh, choice, isSharded)
                .with(MeshDescriptor.LINKS, MeshHolesTest.LINKS.get((int) Math.floorMod(seed, 2L))))
        .chunkLength(1 + random.nextInt(length))
        .rounds(8)
        .seed(seed)
        .computeTime(ComputeTime.uniform(seed, 0, 20 * MILLIS))
        .gradients(Gradients.reals(seed, length, Gradients.Samples.upTo(seed, 2)))
        .updater(updater(updater))
        .maxEvents(20_000_000);
  }

  private static ExchangeOptions options(Mesh mesh, MeshChoice choice, boolean isSharded) {
    return ExchangeOptions.defaults(mesh.ranks())
        .with(MeshDescriptor.MESH, mesh)
        .with(MeshDescriptor.ALGORITHM, choice)
        .with(ShardedUpdates.OPTION, isSharded);
  }

  /** Returns an updater whose steps differ, so that a wrong number of steps shows. */
  private static Updater updater(String name) {
    return UpdaterSpec.of(name, OptionalDouble.of(0.01))
        .create(new LearningRateSchedule.Stepwise(1, 0.95));
  }
}
