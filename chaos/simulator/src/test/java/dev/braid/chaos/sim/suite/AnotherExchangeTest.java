package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.sim.Disturbances;
import dev.braid.chaos.sim.SavedSimulation;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.SumStep;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests a run that is saved under one exchange and resumes under another, for all pairs of
 * exchanges, with the same or another number of workers, and with or without a rule that may stop
 * it. It uses every batch once, loses no gradient and adds none twice, and evaluates every epoch.
 */
class AnotherExchangeTest {

  private static final int LENGTH = 23;
  private static final int EPOCHS = 3;
  private static final int ROUNDS_PER_EPOCH = 4;
  private static final long MILLIS = 1_000_000;

  /** An exchange with its options, and the number of its ranks that compute nothing. */
  private record Way(
      String name, ExchangeType type, int dedicated, UnaryOperator<ExchangeOptions> choice) {

    ExchangeOptions options(int workers) {
      return choice.apply(
          ExchangeOptions.defaults(workers).with(ExchangeOptions.STALENESS, 2).withBatch(1));
    }

    boolean isGossip() {
      return type == ExchangeType.GOSSIP;
    }

    /** Returns by how much a gradient changes each model, in means of models. */
    float share(int workers) {
      return type == ExchangeType.AVERAGING ? 1f / workers : 1;
    }

    Role role(int rank, int workers) {
      ExchangeOptions options = options(workers);
      return new Role(rank, options.roles(workers + dedicated), 1, type.stateFormat(options));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A complete checkpoint of a run. */
  private record Checkpoint(
      Way way, int workers, Gradients own, SavedSimulation saved, List<ReplicaPart> parts) {

    long rounds(int worker) {
      return parts.get(worker).position().completedRounds();
    }

    int endedEpochs() {
      return workerParts().stream()
          .mapToInt(part -> part.position().endedEpochs())
          .min()
          .orElseThrow();
    }

    boolean isInStep() {
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

  /** Tests all pairs, or a share of them that differs between builds. */
  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void fromAnyExchangeToAny(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll @IntRange(min = 1, max = 4) int others)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Way> ways = ways();
    int step = 100 / ShareOfTries.percent();
    int offset = random.nextInt(step);
    int apart = 0;
    for (int before = 0; before < ways.size(); before++) {
      for (int after = (before + offset) % step; after < ways.size(); after += step) {
        Checkpoint checkpoint = saved(ways.get(before), workers, random);
        continueWith(checkpoint, ways.get(after), workers, random);
        continueWith(checkpoint, ways.get(after), others, random);
        apart += checkpoint.isInStep() ? 0 : 1;
      }
    }
    assertThat(apart > 0).as("some workers were apart").isEqualTo(workers > 1);
  }

  private static List<Way> ways() {
    List<Way> ways = new ArrayList<>();
    for (ExchangeType type : ExchangeType.all()) {
      UnaryOperator<ExchangeOptions> choice = UnaryOperator.identity();
      if (type == ExchangeType.SHARING) {
        // A residual is in no model.
        choice = options -> options.with(Compression.OPTION, Compression.NONE);
      } else if (type == ExchangeType.DROP_STRAGGLERS) {
        // The used batches must not depend on which ranks are late.
        choice = options -> options.with(CodedOptions.STRAGGLERS, 0);
      }
      ways.add(new Way(type.title(), type, 0, choice));
    }
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

  private static Way planned(int dedicated, UnaryOperator<ExchangeOptions> root) {
    return new Way(
        "coded, planned, " + dedicated,
        ExchangeType.CODED,
        dedicated,
        options -> root.apply(options).with(CodedOptions.PLAN, CodedOptions.Plan.AUTO));
  }

  /** Returns a checkpoint of a run; tries again if the run ends before it is saved. */
  private static Checkpoint saved(Way way, int workers, SplittableRandom random)
      throws IOException {
    while (true) {
      long seed = random.nextLong();
      Gradients own =
          Gradients.wholeNumbers(seed, LENGTH, Gradients.Samples.upTo(seed, 2)).drawnOnce();
      Optional<SavedSimulation> saved =
          simulation(way, workers, own, epochs(0, ROUNDS_PER_EPOCH, random), seed)
              .rounds(EPOCHS * ROUNDS_PER_EPOCH)
              .checkpointsAfterEvents(random.longs(3, 0, 200L * workers).toArray())
              .build()
              .runUntilSaved(1 + random.nextInt(2));
      if (saved.isPresent()) {
        List<ReplicaPart> parts = new ArrayList<>();
        for (byte[] part : saved.get().parts()) {
          parts.add(ReplicaPart.fromBytes(part));
        }
        return new Checkpoint(way, workers, own, saved.get(), parts);
      }
    }
  }

  private static Epochs epochs(int first, int rounds, SplittableRandom random) {
    int never = EPOCHS + 1;
    return new Epochs(
        rounds,
        first,
        random.nextBoolean() ? never : -1,
        ComputeTime.uniform(random.nextLong(), 0, 10 * MILLIS));
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
        .chunkLength(5)
        .epochs(epochs)
        .gradients(computed)
        .updater(SumStep.INSTANCE)
        .computeTime(ComputeTime.uniform(seed, 0, 5 * MILLIS))
        .seed(seed);
  }

  private static void continueWith(
      Checkpoint checkpoint, Way way, int workers, SplittableRandom random) throws IOException {
    String pair = checkpoint.way() + " " + checkpoint.workers() + " -> " + way + " " + workers;
    boolean keepsPlace =
        workers == checkpoint.workers()
            && (checkpoint.isInStep()
                || way.role(0, workers).isOfSameExchange(checkpoint.parts().get(0).role()));
    Left left = keepsPlace ? Left.inPlace(checkpoint) : Left.dealt(checkpoint, workers);
    long seed = random.nextLong();
    SimulationResult result =
        simulation(
                way,
                workers,
                left.gradients(),
                epochs(left.firstEpoch(), left.roundsPerEpoch(), random),
                seed)
            .from(checkpoint.saved().parts(), left.firstBatches())
            .rounds(Math.max(1, left.rounds()))
            .checkpointsAfterEvents(random.longs(2, 0, 200L * workers).toArray())
            .disturbances(Disturbances.USUAL.with(Disturbances.Rate.ABORTS, 0.2))
            .build()
            .run();

    checkModels(pair, checkpoint, way, workers, left, result);
    checkEvaluations(pair, checkpoint, workers, keepsPlace, result);
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
    static Left inPlace(Checkpoint checkpoint) {
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
    static Left dealt(Checkpoint checkpoint, int workers) {
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
  private static void checkModels(
      String pair, Checkpoint checkpoint, Way way, int workers, Left left, SimulationResult result)
      throws IOException {
    float[] saved = Replica.of(checkpoint.parts(), way.role(0, workers)).vectors()[0];
    if (keepsReplicas(checkpoint, way, workers)) {
      saved = mean(checkpoint.parts());
    }
    if (!checkpoint.way().isGossip()) {
      float[] used = new float[LENGTH];
      for (int worker = 0; worker < checkpoint.workers(); worker++) {
        for (long round = 0; round < checkpoint.rounds(worker); round++) {
          add(used, checkpoint.own().of(worker, round));
        }
      }
      assertThat(saved)
          .as(pair + ": saved")
          .containsExactly(
              minus(new float[LENGTH], used, checkpoint.way().share(checkpoint.workers())),
              within(0.01f));
    }
    for (int worker = 0; worker < workers; worker++) {
      if (!way.isGossip()) {
        assertThat(result.replicas()[worker])
            .as(pair)
            .containsExactly(minus(saved, left.sum(), way.share(workers)), within(0.01f));
      }
      if (way.type().isSynchronous(way.options(workers))) {
        assertThat(result.replicas()[worker]).as(pair).isEqualTo(result.replicas()[0]);
      }
    }
  }

  /** Returns whether each rank resumes with its own replica. */
  private static boolean keepsReplicas(Checkpoint checkpoint, Way way, int workers) {
    ReplicaPart first = checkpoint.parts().get(0);
    return first.model().kind() == SavedVectors.Kind.REPLICA
        && workers == checkpoint.workers()
        && way.role(0, workers).isOfSameExchange(first.role());
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
  private static void checkEvaluations(
      String pair,
      Checkpoint checkpoint,
      int workers,
      boolean keepsPlace,
      SimulationResult result) {
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      Set<Integer> before = reporters(checkpoint.saved().reported(), checkpoint.workers(), epoch);
      Set<Integer> after = reporters(result.reported(), workers, epoch);
      String which = pair + ": epoch " + epoch + " evaluated by " + before + " and " + after;
      if (keepsPlace) {
        assertThat(Collections.disjoint(before, after)).as(which).isTrue();
        assertThat(before.size() + after.size()).as(which).isEqualTo(workers);
      } else {
        assertThat(before.size() == checkpoint.workers() || after.size() == workers)
            .as(which)
            .isTrue();
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
}
