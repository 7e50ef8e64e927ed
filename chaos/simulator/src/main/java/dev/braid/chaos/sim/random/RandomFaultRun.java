package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.Tampering;
import dev.braid.chaos.sim.check.AveragedBatches;
import dev.braid.chaos.sim.check.CountedGradients;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.check.GradientDelivery;
import dev.braid.chaos.sim.check.RelayedUpdates;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.check.ViewSums;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.MeanStep;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.condition.SumStep;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChoice;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Outer;
import dev.braid.exchange.averaging.AveragingDescriptor.Sums;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.sharing.SharingMode;
import dev.braid.learner.optimiser.LearningRateSchedule;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One run of an exchange under random faults. All is drawn from a seed: the {@link Feature}s of the
 * run with their rates, the exchange, the numbers of ranks and rounds, links, compute times, and
 * events. Events are faults of links and ranks, checkpoints, and crashes.
 *
 * <p>It fails if a sum is wrong, if a gradient is lost or counted twice, if ranks end with
 * different models, if anything is stuck, or if lent memory is not released.
 */
final class RandomFaultRun extends RandomRun {

  private static final long MICROS = 1_000;
  private static final long MILLIS = 1_000 * MICROS;
  private static final int MOST_RANKS = 64;
  private static final int FEW_ROUNDS = 6;
  private static final int MAX_ROUNDS = 24;
  private static final int MAX_LENGTH = 60;
  private static final int MAX_CHUNKS = 4;
  private static final int MAX_COMPUTE_MILLIS = 20;

  /**
   * Greatest compute time in runs with separated ranks, in ms; it takes a second until a rank is
   * excluded.
   */
  private static final int MAX_PARTED_COMPUTE_MILLIS = 200;

  private static final int MAX_INTERVAL = 8;
  private static final int MAX_PARTITIONS = 5;
  private static final int MAX_STALENESS = 8;

  private static final long MAX_EVENTS = 3_000_000;
  private static final int EPOCHS = 3;
  private static final int MAX_EVALUATION_MILLIS = 200;
  private static final String[] CODECS = {
    "threshold",
    "threshold:adaptive",
    "threshold:warm",
    "bitmap:20%",
    "auto:30%",
    "top-k:0.1",
    "int4",
    "dgc:2%",
    "bf16",
    "fp16"
  };

  /** Greatest difference of an average from one of numbers with double precision. */
  private static final double ROUNDING = 0.01;

  private static final int PARTED_ROUNDS = 30;
  private static final int PARTED_HORIZON_MILLIS = 3_000;
  private static final SoundLinks.Bounds LINKS =
      new SoundLinks.Bounds(10 * MICROS, 2 * MILLIS, 1e6, 1e9, 100 * MICROS);

  /**
   * Whether sums depend on the order, so that the model must have the bits of the run without
   * faults.
   */
  private final boolean isOfReals;

  /** Gradients that ranks compute of their own samples. */
  private final Gradients own;

  /** Simulation of the same run without faults. */
  private final Simulation sound;

  private final Simulation simulation;
  private Optional<ViewSums> views = Optional.empty();
  private Optional<CountedGradients> counted = Optional.empty();
  private Optional<AveragedBatches> averaged = Optional.empty();

  RandomFaultRun(RunChoice choice) {
    this(choice, () -> Tampering.NONE, MAX_EVENTS);
  }

  /**
   * Creates a run with a planted mistake.
   *
   * @param maxEvents maximum number of events before the run counts as endless
   */
  RandomFaultRun(RunChoice choice, Supplier<? extends Tampering> tampering, long maxEvents) {
    super(choice, kindOf(choice));
    SplittableRandom random = Seeds.of(seed, -30);
    boolean parted = kind.isParted();
    int ranks = choice.ranks().orElse(ranks(random));
    int length = 1 + random.nextInt(MAX_LENGTH);
    int chunks = has(Feature.CHUNKS) ? 1 + Feature.CHUNKS.random(seed).nextInt(MAX_CHUNKS) : 1;
    int maxComputeMillis =
        parted ? MAX_PARTED_COMPUTE_MILLIS : 1 + random.nextInt(MAX_COMPUTE_MILLIS);
    // Without the feature, all runs of a kind have the same options.
    long seedOfOptions = has(Feature.OPTIONS) ? seed : 0;
    ExchangeOptions options = options(Feature.OPTIONS.random(seedOfOptions), ranks);
    int rounds = parted ? PARTED_ROUNDS : rounds(random);
    this.isOfReals =
        kind == FaultRunKind.COMPRESSED
            || kind == FaultRunKind.SHARDED
            || (kind.isRepeatable() && has(Feature.REALS));
    this.own =
        (isOfReals
                ? Gradients.reals(seed, length, (rank, round) -> 1)
                : Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2)))
            .drawnOnce();
    Simulation.Builder builder =
        Simulation.of(kind.exchange(Seeds.of(seedOfOptions, -34)), ranks, length)
            .options(options)
            .chunkLength(Math.max(1, length / chunks))
            .rounds(rounds)
            .epochs(epochs(rounds / EPOCHS))
            .seed(seed)
            .links(linkSeed -> new SoundLinks(linkSeed, LINKS))
            .computeTime(ComputeTime.uniform(seed, 0, maxComputeMillis * MILLIS))
            .gradients(contributions(options, options.roles(ranks).workers()))
            .updater(updater(Seeds.of(seedOfOptions, -35)))
            .check(() -> check(options.roles(ranks).workers(), length))
            .maxEvents(maxEvents);
    if (kind == FaultRunKind.AVERAGING_PARTED) {
      // A rank that is excluded at a checkpoint resumes from copies of the others' states.
      builder.format(ExchangeType.AVERAGING.stateFormat(options));
    }
    this.sound = builder.build();
    List<ChaosEvent> schedule =
        parted
            ? Partings.random(seed, ranks, PARTED_HORIZON_MILLIS)
            : FaultSchedules.of(sound, kind.faults());
    builder.faults(draws.faults(schedule)).tampering(tampering);
    this.simulation = draws.disturb().apply(builder).build();
  }

  @Override
  int ranks() {
    return simulation.ranks();
  }

  private int ranks(SplittableRandom random) {
    if (kind == FaultRunKind.MANY_RANKS) {
      return random.nextInt(draws.mostRanks() + 1, MOST_RANKS + 1);
    }
    return random.nextInt(kind.leastRanks(), draws.mostRanks() + 1);
  }

  private int rounds(SplittableRandom random) {
    int most = has(Feature.MANY_ROUNDS) ? MAX_ROUNDS : FEW_ROUNDS;
    int drawn = random.nextInt(1, most / EPOCHS + 1) * EPOCHS;
    return kind == FaultRunKind.MANY_RANKS ? EPOCHS : drawn;
  }

  private ExchangeOptions options(SplittableRandom random, int ranks) {
    boolean hasDedicatedRoot = kind.mayHaveDedicatedRoot() && ranks > 1 && random.nextInt(3) == 0;
    ExchangeOptions defaults =
        hasDedicatedRoot
            ? ExchangeOptions.defaults(ranks - 1)
                .with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED)
            : ExchangeOptions.defaults(ranks);
    return switch (kind) {
      case PS_SYNC ->
          defaults.with(
              new ServerOptions(
                  random.nextBoolean() ? 0 : random.nextInt(ranks), Consistency.SYNC));
      case AVERAGING -> {
        int interval = 1 + random.nextInt(MAX_INTERVAL);
        int fragments = 1 + random.nextInt(interval);
        yield defaults
            .with(AveragingDescriptor.INTERVAL, interval)
            .with(AveragingDescriptor.OUTER, draw(random, Outer.values()))
            .with(AveragingDescriptor.FRAGMENTS, fragments)
            .with(AveragingDescriptor.OVERLAP, random.nextInt(interval / fragments + 1));
      }
      case AVERAGING_PARTED ->
          defaults
              .with(AveragingDescriptor.SUMS, Sums.FT_TREE)
              .with(AveragingDescriptor.INTERVAL, 1 + random.nextInt(MAX_INTERVAL))
              .with(AveragingDescriptor.OUTER, draw(random, Outer.values()))
              .with(AveragingDescriptor.OUTER_RATE, 0.5)
              .with(AveragingDescriptor.OUTER_MOMENTUM, 0.25);
      case PS_ASYNC ->
          defaults
              .with(ExchangeOptions.STALENESS, random.nextInt(MAX_STALENESS))
              .with(
                  new ServerOptions(
                      random.nextBoolean() ? 0 : random.nextInt(ranks),
                      random.nextBoolean() ? Consistency.ASYNC : Consistency.SSP));
      case COMPRESSED ->
          withMesh(defaults, random).with(Compression.OPTION, Compression.of(draw(random, CODECS)));
      case SHARDED, SHARDED_PARTED -> withMesh(defaults.with(ShardedUpdates.OPTION, true), random);
      case MESH, MESH_PARTED, MANY_RANKS -> withMesh(defaults, random);
      case CODED ->
          ExchangeType.CODED.descriptor().isRepeatable(defaults)
              ? defaults
              : defaults.with(CodedOptions.STRAGGLERS, 0);
      case CODED_PLANNED -> defaults.with(CodedOptions.PLAN, CodedOptions.Plan.AUTO);
      case AKO, AKO_PARTED ->
          defaults
              .with(ExchangeOptions.STALENESS, random.nextInt(MAX_STALENESS))
              // 0 lets the ranks choose the number repeatedly.
              .with(new AkoOptions(random.nextInt(MAX_PARTITIONS + 1), true, 0));
      case SHARING, SHARING_PARTED ->
          defaults
              .with(ExchangeOptions.STALENESS, random.nextInt(MAX_STALENESS))
              .with(SharingDescriptor.MODE, draw(random, SharingMode.values()))
              .with(Compression.OPTION, Compression.NONE);
      case ALL_TO_ALL, ALL_TO_ALL_PARTED, GOSSIP, GOSSIP_PARTED ->
          defaults.with(ExchangeOptions.STALENESS, random.nextInt(MAX_STALENESS));
      case GRADIENT_CODING ->
          ExchangeType.GRADIENT_CODING.descriptor().isRepeatable(defaults)
              ? defaults
              : defaults.with(CodedOptions.STRAGGLERS, 0);
      case FT_TREE, FT_TREE_PARTED, FT_TREE_STATIC, RING, TREE -> defaults;
      case UNCODED, DROP_STRAGGLERS -> defaults;
      case RESCALED, STREAM -> throw new IllegalArgumentException(kind.title());
    };
  }

  /**
   * Draws the algorithm of {@code mesh} for the most square mesh. Choosing one by time costs most
   * of the run, and is therefore rare.
   */
  private static ExchangeOptions withMesh(ExchangeOptions options, SplittableRandom random) {
    Mesh mesh = options.get(MeshDescriptor.MESH);
    // A shard is a range, but not the share of an algorithm of several colours.
    boolean isSharded = options.get(ShardedUpdates.OPTION);
    MeshAlgorithm[] algorithms =
        Arrays.stream(MeshAlgorithm.values())
            .filter(it -> it.isFor(mesh) && !(isSharded && it.hasColours()))
            .toArray(MeshAlgorithm[]::new);
    boolean isChosenByTime = random.nextInt(8) == 0;
    MeshAlgorithm drawn = draw(random, algorithms);
    return options
        .with(MeshDescriptor.ALGORITHM, isChosenByTime ? MeshChoice.AUTO : new MeshChoice.Of(drawn))
        .with(MeshDescriptor.GROUPS, isChosenByTime);
  }

  /**
   * Returns the updater. For steps of whole numbers that servers take one by one, all orders give
   * the same sum.
   */
  private Updater updater(SplittableRandom random) {
    return switch (kind) {
      case PS_ASYNC -> SumStep.INSTANCE;
      case SHARDED, SHARDED_PARTED ->
          updater(draw(random, new String[] {"momentum", "adam", "rmsprop"}));
      default -> MeanStep.INSTANCE;
    };
  }

  private static <T> T draw(SplittableRandom random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private Gradients contributions(ExchangeOptions options, int workers) {
    return switch (kind) {
      case CODED -> CodedGradients.of(own, codes(ExchangeType.CODED, options, workers));
      case GRADIENT_CODING ->
          CodedGradients.of(own, codes(ExchangeType.GRADIENT_CODING, options, workers));
      default -> isOfReals ? own.withWeights() : own;
    };
  }

  private static CodeTree codes(ExchangeType type, ExchangeOptions options, int workers) {
    return type.descriptor().codes(options, workers).orElseThrow();
  }

  private Epochs epochs(int roundsPerEpoch) {
    if (!has(Feature.EPOCHS) && kind != FaultRunKind.CODED_PLANNED) {
      return Epochs.NONE;
    }
    long mostMillis =
        has(Feature.SLOW_EVALUATIONS)
            ? Feature.SLOW_EVALUATIONS.random(seed).nextInt(1, MAX_EVALUATION_MILLIS)
            : 0;
    return new Epochs(
        roundsPerEpoch,
        has(Feature.EARLY_STOP) ? 1 : -1,
        ComputeTime.uniform(Seeds.mix(seed, -5), 0, mostMillis * MILLIS));
  }

  private static Updater updater(String name) {
    return UpdaterSpec.of(name, OptionalDouble.of(0.01))
        .create(new LearningRateSchedule.Stepwise(1, 0.95));
  }

  private UpdateCheck check(int workers, int length) {
    int ranks = simulation().ranks();
    return switch (kind) {
      case FT_TREE, FT_TREE_STATIC, RING, TREE, MESH, MANY_RANKS, UNCODED ->
          isOfReals ? ExactRoundSums.agreeing(own, workers) : ExactRoundSums.exact(own, workers);
      case CODED, GRADIENT_CODING -> ExactRoundSums.exact(own, workers);
      case CODED_PLANNED -> ExactRoundSums.close(own, workers);
      case DROP_STRAGGLERS -> {
        counted = Optional.of(new CountedGradients(length));
        yield counted.get();
      }
      case FT_TREE_PARTED, MESH_PARTED -> {
        views = Optional.of(new ViewSums(own, ranks));
        yield views.get();
      }
      case SHARDED_PARTED -> {
        views = Optional.of(ViewSums.ofShards(own, ranks));
        yield views.get();
      }
      case AVERAGING_PARTED -> {
        averaged = Optional.of(new AveragedBatches(ranks));
        yield averaged.get();
      }
      // Steps are taken where a range is served, or by each rank separately: the final model shows
      // whether all were right. The effect of gossip depends on which ranks are late.
      case PS_SYNC, PS_ASYNC, AVERAGING, COMPRESSED, SHARDED, GOSSIP, GOSSIP_PARTED ->
          UpdateCheck.NONE;
      // The delay of a gradient depends on how long its sender is unreachable.
      case ALL_TO_ALL, AKO, ALL_TO_ALL_PARTED, AKO_PARTED ->
          new GradientDelivery(ranks, length, 0, simulation.rounds(), simulation.rounds());
      case RESCALED, STREAM -> throw new IllegalArgumentException(kind.title());
      case SHARING, SHARING_PARTED -> new RelayedUpdates(ranks, length, simulation.rounds());
    };
  }

  Simulation simulation() {
    return simulation;
  }

  @Override
  SimulationResult.Summary run() {
    SimulationResult result = simulation.run();
    long all = simulation.rounds();
    Epochs epochs = simulation.epochs();
    // In an asynchronous exchange with an unreachable rank, all may miss the first end.
    boolean isEnd =
        epochs.mayStop()
            ? result.rounds() == 2L * epochs.rounds()
                || (result.rounds() == all && !kind.isRepeatable())
            : result.rounds() == all;
    if (!isEnd) {
      throw failure(result.rounds() + " rounds were completed, of " + all + ", with " + epochs);
    }
    // A view may begin between two ranks' reports of an epoch.
    if (result.partlyEvaluated() > 0 && !kind.isParted()) {
      throw failure(result.partlyEvaluated() + " epochs were evaluated on a part of the test set");
    }
    if (result.unreleased() != 0) {
      throw failure(result.unreleased() + " slices were not released");
    }
    expectedModel(result).ifPresent(expected -> compare(result, expected));
    averaged.ifPresent(batches -> compare(result.replicas()[0], batches));
    return result.summary();
  }

  private void compare(float[] model, AveragedBatches batches) {
    ExchangeOptions options = simulation.options();
    boolean isStep = options.get(AveragingDescriptor.OUTER) != Outer.NONE;
    double[] expected =
        batches.expected(
            model.length,
            own,
            isStep ? options.get(AveragingDescriptor.OUTER_RATE) : 1,
            isStep ? options.get(AveragingDescriptor.OUTER_MOMENTUM) : 0);
    for (int i = 0; i < model.length; i++) {
      if (Math.abs(model[i] - expected[i]) > ROUNDING) {
        throw failure(
            "element %d of the model is %s and not %s".formatted(i, model[i], expected[i]));
      }
    }
  }

  private void compare(SimulationResult result, float[] expected) {
    for (int rank = 0; rank < simulation.workers(); rank++) {
      int wrong = Arrays.mismatch(result.replicas()[rank], expected);
      if (wrong >= 0 && isCurrent(rank)) {
        throw failure(
            "element %d of rank %d's model is %s and not %s"
                .formatted(wrong, rank, result.replicas()[rank][wrong], expected[wrong]));
      }
    }
  }

  /**
   * Returns whether a rank has the latest model; one that is excluded at the end has an older one.
   */
  private boolean isCurrent(int rank) {
    return views.map(it -> it.isCurrent(rank)).orElse(true);
  }

  /**
   * Returns the model of the same training without faults; empty for most asynchronous exchanges.
   */
  private Optional<float[]> expectedModel(SimulationResult result) {
    if (isOfReals || kind == FaultRunKind.AVERAGING) {
      return Optional.of(sound.run().replicas()[0]);
    }
    return switch (kind) {
      case ALL_TO_ALL, AKO, SHARING, GOSSIP -> Optional.empty();
      case ALL_TO_ALL_PARTED, AKO_PARTED, SHARING_PARTED, GOSSIP_PARTED -> Optional.empty();
      case CODED_PLANNED, AVERAGING_PARTED -> Optional.of(result.replicas()[0]);
      case FT_TREE_PARTED, MESH_PARTED, SHARDED_PARTED ->
          Optional.of(views.orElseThrow().expected(simulation.length(), simulation.updater()));
      default -> Optional.of(plainLoop(result.rounds()));
    };
  }

  private float[] plainLoop(long rounds) {
    float[] model = new float[simulation.length()];
    for (int round = 0; round < rounds; round++) {
      List<Contribution> all = new ArrayList<>();
      for (int rank = 0; rank < simulation.workers(); rank++) {
        if (isCounted(rank, round)) {
          all.add(own.of(rank, round));
        }
      }
      long samples = all.stream().mapToLong(Contribution::samples).sum();
      for (int i = 0; samples > 0 && i < model.length; i++) {
        float sum = 0;
        for (Contribution one : all) {
          sum += one.gradient()[i];
        }
        model[i] -= kind == FaultRunKind.PS_ASYNC ? sum : sum / samples;
      }
    }
    return model;
  }

  private boolean isCounted(int rank, long round) {
    return counted.map(it -> it.isCounted(rank, round)).orElse(true);
  }

  private SimulationFailure failure(String problem) {
    return new SimulationFailure(problem + ", in " + simulation);
  }

  @Override
  public String toString() {
    return describe(describe(simulation));
  }
}
