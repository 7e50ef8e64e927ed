package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Schedule;
import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.SavedSimulation;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SumStep;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Sums;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import dev.braid.worker.state.Replica;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.Role;
import dev.braid.worker.state.SavedVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A run that is saved under one exchange and resumes under another, with the same number of workers
 * or another, under faults. It must use every batch once, lose no gradient and add none twice, and
 * evaluate every epoch.
 */
final class RescaledRun extends RandomRun {

  private static final int LENGTH = 23;
  private static final int CHUNK_LENGTH = 5;
  private static final int EPOCHS = 3;
  private static final int ROUNDS_PER_EPOCH = 4;
  private static final long MILLIS = 1_000_000;
  private static final int MOST_COMPUTE_MILLIS = 5;
  private static final int MOST_CHECKPOINTS = 3;
  private static final int EVENTS_PER_WORKER = 200;
  private static final int MOST_EVALUATION_MILLIS = 10;
  private static final long MAX_EVENTS = 3_000_000;

  /** Greatest difference of models whose means are rounded. */
  private static final float ROUNDING = 0.01f;

  private static final List<Way> WAYS = ways();

  /** An exchange with its options, and the number of its ranks that compute nothing. */
  record Way(String name, ExchangeType type, int dedicated, UnaryOperator<ExchangeOptions> choice) {

    private ExchangeOptions options(int workers) {
      return choice.apply(
          ExchangeOptions.defaults(workers).with(ExchangeOptions.STALENESS, 2).withBatch(1));
    }

    private boolean isGossip() {
      return type == ExchangeType.GOSSIP;
    }

    /** Returns by how much a gradient changes each model, in means of models. */
    private float share(int workers) {
      return type == ExchangeType.AVERAGING ? 1f / workers : 1;
    }

    /**
     * Returns whether models count in proportion to their samples. Gradients have equal shares only
     * if all workers have equal batches, as in a run with the same exchange and workers before.
     */
    boolean weighs() {
      return options(1).get(AveragingDescriptor.SUMS) == Sums.FT_TREE;
    }

    private Role role(int rank, int workers) {
      ExchangeOptions options = options(workers);
      return new Role(rank, options.roles(workers + dedicated), 1, type.stateFormat(options));
    }

    private Faults faults() {
      return type == ExchangeType.FT_TREE || weighs() ? Faults.PATH_LEFT : Faults.ANY;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * The exchanges and numbers of workers of a run.
   *
   * @param before exchange until the run is saved
   * @param workers number of workers until then
   * @param after exchange of the run that resumes
   * @param others number of workers of the run that resumes
   */
  record Change(Way before, int workers, Way after, int others) {

    @Override
    public String toString() {
      return "%s %d -> %s %d".formatted(before, workers, after, others);
    }
  }

  /** A complete checkpoint of a run. */
  private record Checkpoint(
      Way way, int workers, Gradients own, SavedSimulation saved, List<ReplicaPart> parts) {

    private long rounds(int worker) {
      return parts.get(worker).position().completedRounds();
    }

    private int endedEpochs() {
      return workerParts().stream()
          .mapToInt(part -> part.position().endedEpochs())
          .min()
          .orElseThrow();
    }

    private boolean isInStep() {
      return workerParts().stream()
              .map(ReplicaPart::position)
              .map(position -> List.of(position.completedRounds(), position.endedEpochs()))
              .distinct()
              .count()
          == 1;
    }

    private List<ReplicaPart> workerParts() {
      return parts.subList(0, workers);
    }
  }

  private final Change change;
  private final Gradients own;
  private final Simulation begun;

  /** Number of complete checkpoints after which the run is saved. */
  private final int checkpoints;

  private final Epochs epochsAfter;
  private final List<ChaosEvent> faultsAfter;
  private final UnaryOperator<Simulation.Builder> disturbedAfter;
  private boolean wasInStep = true;

  RescaledRun(RunChoice choice) {
    this(choice, draw(choice));
  }

  /** Creates a run of these exchanges and numbers of workers. */
  RescaledRun(RunChoice choice, Change change) {
    super(choice, FaultRunKind.RESCALED);
    this.change = change;
    SplittableRandom random = Seeds.of(seed, -50);
    this.own = Gradients.wholeNumbers(seed, LENGTH, samples()).drawnOnce();
    Epochs epochsBefore = epochs(0, ROUNDS_PER_EPOCH, Seeds.mix(seed, -51));
    long[] moments =
        random.longs(MOST_CHECKPOINTS, 0, (long) EVENTS_PER_WORKER * change.workers()).toArray();
    this.checkpoints = 1 + random.nextInt(2);
    Way before = change.before();
    int ranks = change.workers() + before.dedicated();
    this.begun =
        draws
            .disturb()
            .apply(simulation(before, change.workers(), own, epochsBefore, seed))
            .faults(draws.faults(schedule(before.faults(), ranks, seed)))
            .rounds(EPOCHS * ROUNDS_PER_EPOCH)
            .checkpointsAfterEvents(moments)
            .build();
    long seedAfter = Seeds.mix(seed, -52);
    this.epochsAfter = epochs(0, 0, seedAfter);
    Way after = change.after();
    this.faultsAfter =
        draws.faults(schedule(after.faults(), change.others() + after.dedicated(), seedAfter));
    this.disturbedAfter = draws.disturb();
  }

  private static Change draw(RunChoice choice) {
    SplittableRandom random = Seeds.of(choice.seed(), -53);
    RunDraws draws = new RunDraws(choice, false);
    int drawn = 1 + random.nextInt(draws.mostRanks());
    int other = 1 + random.nextInt(draws.mostRanks());
    Way before = WAYS.get(random.nextInt(WAYS.size()));
    Way after = WAYS.get(random.nextInt(WAYS.size()));
    int workers = choice.ranks().orElse(drawn);
    Way resumed = draws.has(Feature.OTHER_EXCHANGE) && !after.weighs() ? after : before;
    return new Change(
        before,
        workers,
        resumed,
        draws.has(Feature.RESCALE) && !resumed.weighs() ? other : workers);
  }

  /** Returns all exchanges with their options. */
  static List<Way> ways() {
    List<Way> ways = new ArrayList<>();
    for (ExchangeType type : ExchangeType.all()) {
      UnaryOperator<ExchangeOptions> choice = UnaryOperator.identity();
      if (type == ExchangeType.SHARING) {
        // A residual is in no model.
        choice = options -> options.with(Compression.OPTION, Compression.NONE);
      } else if (type == ExchangeType.DROP_STRAGGLERS) {
        // The used batches must not depend on which ranks are late.
        choice = options -> options.with(CodedOptions.STRAGGLERS, 0);
      } else if (type == ExchangeType.CODED || type == ExchangeType.GRADIENT_CODING) {
        choice =
            options ->
                type.descriptor().isRepeatable(options)
                    ? options
                    : options.with(CodedOptions.STRAGGLERS, 0);
      }
      ways.add(new Way(type.title(), type, 0, choice));
    }
    ways.add(
        new Way(
            "averaging in turn",
            ExchangeType.AVERAGING,
            0,
            options -> options.with(AveragingDescriptor.FRAGMENTS, 3)));
    ways.add(
        new Way(
            "averaging in views",
            ExchangeType.AVERAGING,
            0,
            options -> options.with(AveragingDescriptor.SUMS, Sums.FT_TREE)));
    ways.add(planned(0, options -> options));
    UnaryOperator<ExchangeOptions> root =
        options -> options.with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED);
    ways.add(planned(1, root));
    ways.add(new Way("coded, own root", ExchangeType.CODED, 1, root));
    ways.add(new Way("uncoded, own root", ExchangeType.UNCODED, 1, root));
    for (Consistency consistency : Consistency.values()) {
      for (int servers = 0; servers < 4; servers++) {
        ServerOptions chosen = new ServerOptions(servers, consistency);
        ways.add(
            new Way("ps " + chosen, ExchangeType.PS, servers, options -> options.with(chosen)));
      }
    }
    return ways;
  }

  private Gradients.Samples samples() {
    boolean areAlike = change.before().weighs() || change.after().weighs();
    return areAlike ? (rank, round) -> 1 : Gradients.Samples.upTo(seed, 2);
  }

  private static Way planned(int dedicated, UnaryOperator<ExchangeOptions> root) {
    return new Way(
        "coded, planned, " + dedicated,
        ExchangeType.CODED,
        dedicated,
        options -> root.apply(options).with(CodedOptions.PLAN, CodedOptions.Plan.AUTO));
  }

  private static List<ChaosEvent> schedule(Faults faults, int ranks, long seed) {
    if (ranks == 1) {
      return List.of();
    }
    int millis = EPOCHS * ROUNDS_PER_EPOCH * MOST_COMPUTE_MILLIS / 2;
    return new Schedule(seed, ranks, 2e3 * ranks / millis, millis, millis / 4, faults).events();
  }

  private Epochs epochs(int first, int rounds, long ofSeed) {
    int never = EPOCHS + 1;
    long most = has(Feature.SLOW_EVALUATIONS) ? MOST_EVALUATION_MILLIS * MILLIS : 0;
    return new Epochs(
        rounds, first, has(Feature.EARLY_STOP) ? never : -1, ComputeTime.uniform(ofSeed, 0, most));
  }

  private static Simulation.Builder simulation(
      Way way, int workers, Gradients own, Epochs epochs, long seed) {
    ExchangeOptions options = way.options(workers);
    boolean isPlanned = CodedOptions.choosesAnew(options);
    Gradients computed =
        way.type()
            .descriptor()
            .codes(options, workers)
            .filter(codes -> !isPlanned)
            .<Gradients>map(codes -> CodedGradients.of(own, codes))
            .orElse(own);
    return Simulation.of(way.type()::create, workers + way.dedicated(), LENGTH)
        .options(options)
        .format(way.type().stateFormat(options))
        .chunkLength(CHUNK_LENGTH)
        .epochs(epochs)
        .gradients(computed)
        .updater(SumStep.INSTANCE)
        .computeTime(ComputeTime.uniform(seed, 0, MOST_COMPUTE_MILLIS * MILLIS))
        .seed(seed)
        .maxEvents(MAX_EVENTS);
  }

  @Override
  int ranks() {
    return change.workers();
  }

  /** Returns whether all workers had completed the same rounds when the run was saved. */
  boolean wasInStep() {
    return wasInStep;
  }

  @Override
  SimulationResult.Summary run() {
    Optional<SavedSimulation> saved = begun.runUntilSaved(checkpoints);
    if (saved.isEmpty()) {
      // It has ended before it was saved, and is a run like others.
      return begun.run().summary();
    }
    try {
      return resume(saved.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SimulationResult.Summary resume(SavedSimulation saved) throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (byte[] part : saved.parts()) {
      parts.add(ReplicaPart.fromBytes(part));
    }
    Checkpoint checkpoint = new Checkpoint(change.before(), change.workers(), own, saved, parts);
    wasInStep = checkpoint.isInStep();
    Way way = change.after();
    int workers = change.others();
    boolean keepsPlace =
        workers == checkpoint.workers()
            && (wasInStep || way.role(0, workers).isOfSameExchange(parts.get(0).role()));
    Left left = keepsPlace ? Left.inPlace(checkpoint) : Left.dealt(checkpoint, workers);
    Epochs epochs =
        new Epochs(
            left.roundsPerEpoch(),
            left.firstEpoch(),
            epochsAfter.stopsAfter(),
            epochsAfter.evaluation());
    SimulationResult result =
        disturbedAfter
            .apply(simulation(way, workers, left.gradients(), epochs, Seeds.mix(seed, -52)))
            .faults(faultsAfter)
            .from(saved.parts(), left.firstBatches())
            .rounds(Math.max(1, left.rounds()))
            .build()
            .run();
    checkModels(checkpoint, left, result);
    checkEvaluations(checkpoint, keepsPlace, result);
    if (result.unreleased() != 0) {
      throw failure(result.unreleased() + " slices were not released");
    }
    return result.summary();
  }

  /** The batches of a saved run that are left for the run that resumes it. */
  private record Left(
      Gradients gradients,
      long[] firstBatches,
      int firstEpoch,
      int roundsPerEpoch,
      int rounds,
      float[] sum) {

    /** Returns what is left if each worker keeps its own batches. */
    private static Left inPlace(Checkpoint checkpoint) {
      float[] sum = new float[LENGTH];
      for (int worker = 0; worker < checkpoint.workers(); worker++) {
        for (long r = checkpoint.rounds(worker); r < EPOCHS * ROUNDS_PER_EPOCH; r++) {
          add(sum, checkpoint.own().of(worker, r));
        }
      }
      long[] first =
          IntStream.range(0, checkpoint.workers()).mapToLong(checkpoint::rounds).toArray();
      return new Left(checkpoint.own(), first, 0, ROUNDS_PER_EPOCH, EPOCHS * ROUNDS_PER_EPOCH, sum);
    }

    /** Deals the rest of each epoch as the source does: all workers get equally many batches. */
    private static Left dealt(Checkpoint checkpoint, int workers) {
      int first = checkpoint.endedEpochs();
      List<List<Contribution>> byEpoch = new ArrayList<>();
      float[] sum = new float[LENGTH];
      for (int epoch = first; epoch < EPOCHS; epoch++) {
        List<Contribution> batches = new ArrayList<>();
        for (int worker = 0; worker < checkpoint.workers(); worker++) {
          long begin = Math.max(checkpoint.rounds(worker), (long) epoch * ROUNDS_PER_EPOCH);
          for (long round = begin; round < (epoch + 1L) * ROUNDS_PER_EPOCH; round++) {
            batches.add(checkpoint.own().of(worker, round));
            add(sum, batches.get(batches.size() - 1));
          }
        }
        byEpoch.add(batches);
      }
      int most = byEpoch.stream().mapToInt(List::size).max().orElse(0);
      int rounds = Math.max(1, (most + workers - 1) / workers);
      Map<List<Long>, Contribution> dealt = new HashMap<>();
      for (int epoch = 0; epoch < byEpoch.size(); epoch++) {
        List<Contribution> batches = byEpoch.get(epoch);
        for (int i = 0; i < batches.size(); i++) {
          long round = (long) epoch * rounds + i / workers;
          dealt.put(List.of((long) (i % workers), round), batches.get(i));
        }
      }
      Contribution none = new Contribution(0, new float[LENGTH], 0);
      Gradients gradients =
          (rank, round) -> {
            Contribution batch = dealt.getOrDefault(List.of((long) rank, round), none);
            return new Contribution(round, batch.gradient().clone(), batch.samples());
          };
      return new Left(gradients, new long[workers], first, rounds, byEpoch.size() * rounds, sum);
    }
  }

  private static void add(float[] sum, Contribution batch) {
    Vectors.add(sum, batch.gradient(), Range.ofLength(LENGTH));
  }

  /** Checks that no gradient is lost or added twice; the means of gossip depend on the moment. */
  private void checkModels(Checkpoint checkpoint, Left left, SimulationResult result)
      throws IOException {
    Way way = change.after();
    int workers = change.others();
    float[] saved = Replica.of(checkpoint.parts(), way.role(0, workers)).vectors()[0];
    if (keepsReplicas(checkpoint)) {
      saved = mean(checkpoint.parts());
    }
    if (!checkpoint.way().isGossip()) {
      float[] used = new float[LENGTH];
      for (int worker = 0; worker < checkpoint.workers(); worker++) {
        for (long round = 0; round < checkpoint.rounds(worker); round++) {
          add(used, checkpoint.own().of(worker, round));
        }
      }
      float share = checkpoint.way().share(checkpoint.workers());
      compare("the saved model", saved, minus(new float[LENGTH], used, share), ROUNDING);
    }
    for (int worker = 0; worker < workers; worker++) {
      float[] replica = result.replicas()[worker];
      if (!way.isGossip()) {
        float[] expected = minus(saved, left.sum(), way.share(workers));
        compare("the model of worker " + worker, replica, expected, ROUNDING);
      }
      if (way.type().isSynchronous(way.options(workers))) {
        compare("the model of worker " + worker, replica, result.replicas()[0], 0);
      }
    }
  }

  private void compare(String what, float[] model, float[] expected, float most) {
    for (int i = 0; i < LENGTH; i++) {
      if (!(Math.abs(model[i] - expected[i]) <= most)) {
        throw failure(
            "element %d of %s is %s and not %s".formatted(i, what, model[i], expected[i]));
      }
    }
  }

  /** Returns whether each rank resumes with its own replica. */
  private boolean keepsReplicas(Checkpoint checkpoint) {
    ReplicaPart first = checkpoint.parts().get(0);
    return first.model().kind() == SavedVectors.Kind.REPLICA
        && change.others() == checkpoint.workers()
        && change.after().role(0, change.others()).isOfSameExchange(first.role());
  }

  private static float[] mean(List<ReplicaPart> parts) {
    float[] mean = new float[LENGTH];
    for (ReplicaPart part : parts) {
      for (int i = 0; i < LENGTH; i++) {
        mean[i] += part.model().values()[0][i] / parts.size();
      }
    }
    return mean;
  }

  private static float[] minus(float[] model, float[] sum, float share) {
    float[] difference = model.clone();
    for (int i = 0; i < LENGTH; i++) {
      difference[i] -= share * sum[i];
    }
    return difference;
  }

  /**
   * Checks that each epoch is evaluated by all workers: of the saved run, of the resumed one, or of
   * both.
   */
  private void checkEvaluations(
      Checkpoint checkpoint, boolean keepsPlace, SimulationResult result) {
    int workers = change.others();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      Set<Integer> before = reporters(checkpoint.saved().reported(), checkpoint.workers(), epoch);
      Set<Integer> after = reporters(result.reported(), workers, epoch);
      boolean isRight =
          keepsPlace
              ? Collections.disjoint(before, after) && before.size() + after.size() == workers
              : before.size() == checkpoint.workers() || after.size() == workers;
      if (!isRight) {
        throw failure("epoch %d is evaluated by %s and %s".formatted(epoch, before, after));
      }
    }
  }

  private static Set<Integer> reporters(List<List<Integer>> reported, int workers, int epoch) {
    Set<Integer> ranks = new HashSet<>();
    IntStream.range(0, workers)
        .filter(rank -> reported.get(rank).contains(epoch))
        .forEach(ranks::add);
    return ranks;
  }

  private SimulationFailure failure(String problem) {
    return new SimulationFailure("%s: %s, in %s".formatted(change, problem, begun));
  }

  @Override
  public String toString() {
    return describe(
        "%s, saved after checkpoint %d; %s; faults after it resumes: %s"
            .formatted(change, checkpoints, describe(begun), faultsAfter));
  }
}
