package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.check.GradientDelivery;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.check.ViewSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeFactory;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.fttree.FaultTolerantTree;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One run of an exchange under random faults. All is drawn from a seed: the exchange, how many
 * ranks and rounds there are, links, compute times, faults, and whether checkpoints are taken.
 *
 * <p>It fails where a sum is wrong, where a gradient is lost or counted twice, where ranks end with
 * different models, where anything is stuck, or where memory that was lent is not given back.
 */
final class RandomFaultRun {

  /** What runs, and under which faults; as often as its weight says. */
  enum Kind {
    /** Adaptive time-outs; every rank keeps a way to every other. */
    FT_TREE(10),
    /** The same, and all links of some ranks are cut for seconds. */
    FT_TREE_PARTED(1),
    /** The time-outs of the paper. */
    FT_TREE_STATIC(1),
    RING(1),
    TREE(1),
    PS_SYNC(1),
    ALL_TO_ALL(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    static Kind draw(SplittableRandom random) {
      int left = random.nextInt(Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
      for (Kind kind : values()) {
        left -= kind.weight;
        if (left < 0) {
          return kind;
        }
      }
      throw new AssertionError();
    }

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private ExchangeFactory exchange() {
      return switch (this) {
        case FT_TREE, FT_TREE_PARTED -> BraidedTree::new;
        case FT_TREE_STATIC -> (config, port) -> new FaultTolerantTree(config, port, 50 * MILLIS);
        case RING -> ExchangeType.RING::create;
        case TREE -> ExchangeType.TREE::create;
        case PS_SYNC -> ExchangeType.PS::create;
        case ALL_TO_ALL -> ExchangeType.ALL_TO_ALL::create;
      };
    }

    /** Those that know ways around a link promise nothing where no way is left. */
    private Faults faults() {
      return switch (this) {
        case FT_TREE, FT_TREE_PARTED, FT_TREE_STATIC -> Faults.PATH_LEFT;
        case RING, TREE, PS_SYNC, ALL_TO_ALL -> Faults.ANY;
      };
    }
  }

  private static final long MICROS = 1_000;
  private static final long MILLIS = 1_000 * MICROS;
  private static final int MAX_RANKS = 16;
  private static final int MIN_ROUNDS = 5;
  private static final int MAX_ROUNDS = 24;
  private static final int MAX_LENGTH = 60;
  private static final int MAX_CHUNKS = 4;
  private static final int MAX_COMPUTE_MILLIS = 20;

  /** It takes a second until a rank counts as lost. */
  private static final int MAX_PARTED_COMPUTE_MILLIS = 100;

  private static final int PARTED_ROUNDS = 60;
  private static final int PARTED_HORIZON_MILLIS = 3_000;
  private static final SoundLinks.Bounds LINKS =
      new SoundLinks.Bounds(10 * MICROS, 2 * MILLIS, 1e6, 1e9, 100 * MICROS);

  private final long seed;
  private final Kind kind;
  private final Simulation simulation;
  private Optional<ViewSums> views = Optional.empty();

  RandomFaultRun(long seed) {
    this.seed = seed;
    SplittableRandom random = Seeds.of(seed, -30);
    this.kind = Kind.draw(random);
    int ranks = random.nextInt(2, MAX_RANKS + 1);
    int length = 1 + random.nextInt(MAX_LENGTH);
    int chunks = 1 + random.nextInt(MAX_CHUNKS);
    boolean parted = kind == Kind.FT_TREE_PARTED;
    int maxComputeMillis =
        parted ? MAX_PARTED_COMPUTE_MILLIS : 1 + random.nextInt(MAX_COMPUTE_MILLIS);
    Gradients gradients =
        Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2)).drawnOnce();
    Simulation.Builder sound =
        Simulation.of(kind.exchange(), ranks, length)
            .options(options(ranks))
            .chunkLength(Math.max(1, length / chunks))
            .rounds(parted ? PARTED_ROUNDS : random.nextInt(MIN_ROUNDS, MAX_ROUNDS + 1))
            .seed(seed)
            .links(linkSeed -> new SoundLinks(linkSeed, LINKS))
            .computeTime(ComputeTime.uniform(seed, 0, maxComputeMillis * MILLIS))
            .gradients(gradients)
            .check(() -> check(gradients, ranks, length))
            .checkpointsAfterEvents(checkpoints(random))
            .maxEvents(3_000_000);
    this.simulation =
        sound
            .faults(
                parted
                    ? Partings.random(seed, ranks, PARTED_HORIZON_MILLIS)
                    : FaultSchedules.of(sound.build(), kind.faults()))
            .build();
  }

  private ExchangeOptions options(int ranks) {
    return ExchangeOptions.defaults(ranks).with(new ServerOptions(0, Consistency.SYNC));
  }

  /** In one of four runs; those that are not reached are not taken. */
  private long[] checkpoints(SplittableRandom random) {
    return random.nextInt(4) > 0 ? new long[0] : random.longs(2, 0, 10_000).toArray();
  }

  private UpdateCheck check(Gradients gradients, int ranks, int length) {
    return switch (kind) {
      case FT_TREE, FT_TREE_STATIC, RING, TREE -> ExactRoundSums.exact(gradients, ranks);
      case FT_TREE_PARTED -> {
        views = Optional.of(new ViewSums(gradients, ranks));
        yield views.get();
      }
      // Steps are taken where a range is served: the model in the end says whether all were right.
      case PS_SYNC -> UpdateCheck.NONE;
      case ALL_TO_ALL ->
          new GradientDelivery(ranks, length, 0, simulation.rounds(), simulation.rounds());
    };
  }

  Kind kind() {
    return kind;
  }

  Simulation simulation() {
    return simulation;
  }

  /**
   * Runs it.
   *
   * @throws SimulationFailure if anything is wrong
   */
  SimulationResult run() {
    SimulationResult result = simulation.run();
    if (result.rounds() != simulation.rounds()) {
      throw failure(result.rounds() + " rounds were completed, not " + simulation.rounds());
    }
    if (result.unreleased() != 0) {
      throw failure(result.unreleased() + " slices were not released");
    }
    expectedModel().ifPresent(expected -> compare(result, expected));
    return result;
  }

  private void compare(SimulationResult result, float[] expected) {
    for (int rank = 0; rank < simulation.ranks(); rank++) {
      int wrong = Arrays.mismatch(result.replicas()[rank], expected);
      if (wrong >= 0) {
        throw failure(
            "element %d of rank %d's model is %s and not %s"
                .formatted(wrong, rank, result.replicas()[rank][wrong], expected[wrong]));
      }
    }
  }

  /** The model of the same training in one loop; of asynchronous exchanges there is none. */
  private Optional<float[]> expectedModel() {
    return switch (kind) {
      case ALL_TO_ALL -> Optional.empty();
      case FT_TREE_PARTED -> Optional.of(views.orElseThrow().expected(simulation.length()));
      case FT_TREE, FT_TREE_STATIC, RING, TREE, PS_SYNC -> Optional.of(plainLoop());
    };
  }

  private float[] plainLoop() {
    float[] model = new float[simulation.length()];
    for (int round = 0; round < simulation.rounds(); round++) {
      List<Contribution> all = new ArrayList<>();
      for (int rank = 0; rank < simulation.ranks(); rank++) {
        all.add(simulation.gradients().of(rank, round));
      }
      long samples = all.stream().mapToLong(Contribution::samples).sum();
      for (int i = 0; samples > 0 && i < model.length; i++) {
        float sum = 0;
        for (Contribution one : all) {
          sum += one.gradient()[i];
        }
        model[i] -= sum / samples;
      }
    }
    return model;
  }

  private SimulationFailure failure(String problem) {
    return new SimulationFailure(problem + ", in " + simulation);
  }

  @Override
  public String toString() {
    return "seed %d: %s, %d ranks, %d rounds, %d faults"
        .formatted(
            seed,
            kind.title(),
            simulation.ranks(),
            simulation.rounds(),
            simulation.faults().size());
  }
}
