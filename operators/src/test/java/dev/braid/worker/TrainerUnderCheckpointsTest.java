package dev.braid.worker;

import static dev.braid.worker.SimulatedTrainer.EPOCHS;
import static dev.braid.worker.SimulatedTrainer.ROUNDS_PER_EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Isolation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.EpochRecords.EpochReport;
import dev.braid.worker.SimulatedTrainer.Outcome;
import dev.braid.worker.report.TestShare;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.statistics.Statistics;

/**
 * Real trainers, exchanges, hold protocols and the real coordinator under random interleavings of
 * messages, checkpoints, abortions and failures: whatever happens, the final weights have the bits
 * of an undisturbed run, and every checkpoint is consistent.
 *
 * <p>That holds for asynchronous exchanges too where gradients do not depend on the weights and all
 * sums are exact: then the order does not matter, and whatever is lost or applied twice shows.
 */
class TrainerUnderCheckpointsTest {

  private static final double CUT_RATE = 0.001;
  private static final int MAX_ISOLATION_STEPS = 3_000;

  /**
   * In these a flush has just sent a rank that is back what it had missed, the checkpoint is
   * declined, and the next gradient comes before any answer: seldom, in random trainings.
   */
  private static final long[] SEEDS_WITH_GRADIENTS_BEFORE_ANSWERS = {
    86_267_571_272L, Long.MAX_VALUE
  };

  /** A run that is over: what came of it, and what happened meanwhile. */
  private record Run(Outcome outcome, LoopSimulation loop) {}

  @Provide
  Arbitrary<Way> ways() {
    return Arbitraries.of(Way.all());
  }

  /** So many that each way comes some times, and with checkpoints, abortions and failures. */
  @Property(tries = 150)
  void sameBitsWhateverHappens(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int workers,
      @ForAll("ways") Way way,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    // In the second epoch all samples are classified correctly, in the first none.
    StoppingRule target = stopsEarly ? StoppingRule.at(0.9) : StoppingRule.NONE;
    int ranks = workers + way.dedicated();
    // Of ranks that a cut network keeps apart for long, a fault-tolerant tree leaves some out; and
    // of those that begin long after the others, if time passes meanwhile.
    double cut = way.exchange() == ExchangeType.FT_TREE ? 0 : CUT_RATE;
    Outcome calm = calm(ranks, way, target);
    Run run =
        run(
            seed,
            ranks,
            way,
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.001 / ranks : 0, 0, cut));
    Outcome stormy = run.outcome();

    boolean sameView = stormy.viewsEntered().isEmpty();
    boolean sameEnd = stormy.rounds().get(0).equals(calm.rounds().get(0));
    for (int rank = 0; rank < workers; rank++) {
      // Partners of gossip take means with what the moment has.
      if (way.exchange() != ExchangeType.GOSSIP && sameView && sameEnd) {
        boolean same = !way.isSynchronous() || way.isRepeatable(ranks);
        assertThat(stormy.weights().get(rank))
            .containsExactly(calm.weights().get(0), within(same ? 0 : 1e-4f));
      }
    }
    oftenEnough("the same end", sameEnd, 80);
    oftenEnough("all the time in one view", sameView, 80);
    oftenEnough("checkpoints", run.loop().completedCheckpoints() > 0, 20);
    oftenEnough("abortions", run.loop().abortedCheckpoints() > 0, 20);
    oftenEnough("restored", run.loop().failures() > 0, 20);
    if (sameView && (way.isSynchronous() || way.exchange() == ExchangeType.PS)) {
      assertThat(stormy.model()).isEqualTo(stormy.weights().get(0));
    }
  }

  @Example
  void sameBitsWithManyRanks() throws Exception {
    Way ring = new Way(ExchangeType.RING, ServerOptions.DEFAULT);
    // A checkpoint takes thousands of probes: one that was aborted as often as those of few ranks
    // would never be over.
    Run run = run(2, 65, ring, StoppingRule.NONE, new Rates(0.001, 0, 0, 0, 0));
    assertThat(run.loop().completedCheckpoints()).isPositive();
    Collection<float[]> weights = run.outcome().weights().values();
    assertThat(weights)
        .hasSize(65)
        .allSatisfy(it -> assertThat(it).isEqualTo(run.outcome().model()));
  }

  /** Ranks are cut off, also while a checkpoint is taken, and are back, or not. */
  @Property(tries = 100)
  void ranksThatAreCutOffStopNobody(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int ranks,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    StoppingRule target = stopsEarly ? StoppingRule.at(0.9) : StoppingRule.NONE;
    Run run =
        run(
            seed,
            ranks,
            new Way(ExchangeType.FT_TREE, ServerOptions.DEFAULT),
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.0005 / ranks : 0, 0.003, CUT_RATE));
    Outcome outcome = run.outcome();
    long expectedRounds = (stopsEarly ? 2 : EPOCHS) * (long) ROUNDS_PER_EPOCH;
    assertThat(outcome.rounds().values()).hasSize(ranks).containsOnly(expectedRounds);
    assertThat(outcome.leftOut()).hasSizeLessThan(ranks);
    float[] first =
        outcome.weights().entrySet().stream()
            .filter(entry -> !outcome.leftOut().contains(entry.getKey()))
            .findFirst()
            .orElseThrow()
            .getValue();
    outcome
        .weights()
        .forEach(
            (rank, weights) -> {
              if (!outcome.leftOut().contains(rank)) {
                assertThat(weights).as("rank %d", rank).isEqualTo(first);
              }
            });
    assertThat(outcome.model()).isEqualTo(first);
    oftenEnough("checkpoints", run.loop().completedCheckpoints() > 0, 20);
    oftenEnough("abortions", run.loop().abortedCheckpoints() > 0, 20);
    oftenEnough("restored", run.loop().failures() > 0, 20);
    oftenEnough("views changed", !outcome.viewsEntered().isEmpty(), 20);
    oftenEnough("left out in the end", !outcome.leftOut().isEmpty(), 20);
    oftenEnough("back in the view", hasMissedAnEpoch(outcome), 2);
  }

  /** Whether a rank that takes part in the end was left out when an epoch was evaluated. */
  private static boolean hasMissedAnEpoch(Outcome outcome) {
    return outcome.epochs().entrySet().stream()
        .filter(entry -> !outcome.leftOut().contains(entry.getKey()))
        .flatMap(entry -> entry.getValue().reports().stream())
        .anyMatch(report -> report.share().equals(TestShare.NONE));
  }

  /** Over all tries of a property: one to which nothing happens proves nothing. */
  private static void oftenEnough(String what, boolean happened, double minPercent) {
    Statistics.label(what)
        .collect(happened)
        .coverage(tries -> tries.check(true).percentage(percent -> percent > minPercent));
  }

  @Provide
  Arbitrary<Way> asynchronous() {
    return Arbitraries.of(Way.asynchronous());
  }

  @Provide
  Arbitrary<Way> asynchronousWithoutServingWorkers() {
    return asynchronous().filter(way -> way.exchange() != ExchangeType.PS || way.dedicated() > 0);
  }

  /**
   * A rank is cut off until the others have done all their rounds, and several checkpoints have
   * begun: they go on only if none holds them for good, whether it is declined, or aborted first.
   */
  @Property(tries = 60)
  void checkpointsWhileARankIsCutOffAreDeclined_andTrainingGoesOn(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int workers,
      @ForAll("asynchronousWithoutServingWorkers") Way way)
      throws Exception {
    int ranks = workers + way.dedicated();
    SplittableRandom random = new SplittableRandom(seed);
    int rank = 1 + random.nextInt(workers - 1);
    long from = random.nextInt(2 * ROUNDS_PER_EPOCH);
    Map<Integer, SimulatedTrainer> trainers = new TreeMap<>();
    Outcome outcome = new Outcome();
    LoopSimulation simulation =
        simulation(
            seed,
            ranks,
            way,
            StoppingRule.NONE,
            new Rates(0.02 / ranks, 0.01, 0, 0, 0),
            outcome,
            trainers);
    BooleanSupplier othersAreThrough =
        () ->
            trainers.values().stream()
                .limit(workers)
                .filter(trainer -> trainer != trainers.get(rank))
                .allMatch(trainer -> trainer.rounds() == EPOCHS * ROUNDS_PER_EPOCH);
    simulation.isolate(
        new Isolation(
            rank,
            () -> trainers.get(0).rounds() >= from,
            () ->
                othersAreThrough.getAsBoolean()
                    && (simulation.declinedCheckpoints() + simulation.abortedCheckpoints() >= 3
                        || simulation.isCalmForGood())));
    simulation.run(1_000_000);

    assertSameSums(outcome, workers, way);
    oftenEnough("declined", simulation.declinedCheckpoints() > 0, 20);
  }

  /** Ranks are cut off now and then, also while a checkpoint is taken, aborted or declined. */
  @Property(tries = 120)
  void noGradientIsLostOrTakenTwice_howeverRanksAreCutOff(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int workers,
      @ForAll("asynchronous") Way way,
      @ForAll boolean withFailures)
      throws Exception {
    LoopSimulation simulation = runWithRanksCutOff(seed, workers, way, withFailures);
    oftenEnough("declined while members flushed", simulation.declinedLate() > 0, 20);
    oftenEnough(
        "taken and declined",
        simulation.completedCheckpoints() > 0 && simulation.declinedCheckpoints() > 0,
        20);
  }

  @Example
  void noGradientIsTakenTwice_whereTheNextComesBeforeAnAnswer() throws Exception {
    for (long seed : SEEDS_WITH_GRADIENTS_BEFORE_ANSWERS) {
      runWithRanksCutOff(seed, 3, new Way(ExchangeType.ALL_TO_ALL, ServerOptions.DEFAULT), false);
    }
  }

  /** To the end, when every replica has every gradient once. */
  private static LoopSimulation runWithRanksCutOff(
      long seed, int workers, Way way, boolean withFailures) throws Exception {
    int ranks = workers + way.dedicated();
    Outcome outcome = new Outcome();
    LoopSimulation simulation =
        simulation(
            seed,
            ranks,
            way,
            StoppingRule.NONE,
            new Rates(0.1 / ranks, 0.002, withFailures ? 0.0002 / ranks : 0, 0, CUT_RATE),
            outcome,
            new TreeMap<>());
    isolateNowAndThen(simulation, seed, ranks);
    simulation.run(1_000_000);

    assertSameSums(outcome, workers, way);
    return simulation;
  }

  /**
   * A rank is cut off until the others have reported the second epoch, which they do only if the
   * verdicts are given without it. Its part of the test set is missing there, so that nobody stops;
   * back again, it comes to the same end.
   */
  @Property(tries = 100)
  void nobodyStopsByAPartOfTheTestSet_whereARankIsCutOff(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int workers,
      @ForAll("asynchronousWithoutServingWorkers") Way way,
      @ForAll boolean withFailures)
      throws Exception {
    int ranks = workers + way.dedicated();
    SplittableRandom random = new SplittableRandom(seed);
    int rank = ranks == 2 ? 1 : random.nextInt(workers);
    long from = random.nextInt(2 * ROUNDS_PER_EPOCH);
    Map<Integer, SimulatedTrainer> trainers = new TreeMap<>();
    Outcome outcome = new Outcome();
    LoopSimulation simulation =
        simulation(
            seed,
            ranks,
            way,
            StoppingRule.at(0.9),
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.0002 / ranks : 0, 0, 0),
            outcome,
            trainers);
    boolean[] wasBehind = {false};
    simulation.isolate(
        new Isolation(
            rank,
            () -> trainers.get(rank).rounds() >= from,
            () -> {
              boolean othersHaveReported =
                  trainers.values().stream()
                      .limit(workers)
                      .filter(trainer -> trainer != trainers.get(rank))
                      .allMatch(trainer -> trainer.hasReported(1));
              wasBehind[0] |=
                  othersHaveReported && trainers.get(rank).rounds() < 2 * ROUNDS_PER_EPOCH;
              return othersHaveReported;
            }));
    simulation.run(1_000_000);

    checkSameEnd(outcome, workers);
    if (wasBehind[0] && !withFailures) {
      check(outcome, workers, false);
    }
    oftenEnough("the rank was behind", wasBehind[0], 50);
  }

  /** The same, now and then, of any ranks. */
  @Property(tries = 100)
  void allStopAfterTheSameEpoch_howeverRanksAreCutOff(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int workers,
      @ForAll("asynchronous") Way way,
      @ForAll boolean withFailures)
      throws Exception {
    int ranks = workers + way.dedicated();
    Outcome outcome = new Outcome();
    LoopSimulation simulation =
        simulation(
            seed,
            ranks,
            way,
            StoppingRule.at(0.9),
            new Rates(0.05 / ranks, 0.005, withFailures ? 0.0002 / ranks : 0, 0, CUT_RATE),
            outcome,
            new TreeMap<>());
    isolateNowAndThen(simulation, seed, ranks);
    simulation.run(1_000_000);

    boolean stoppedEarly = checkSameEnd(outcome, workers);
    oftenEnough("stopped early", stoppedEarly, 20);
    oftenEnough("went on to the last epoch", !stoppedEarly, 2);
  }

  /** Whether all stopped after the second epoch; else after the last. */
  private static boolean checkSameEnd(Outcome outcome, int workers) {
    boolean stoppedEarly = outcome.rounds().get(0) < (long) EPOCHS * ROUNDS_PER_EPOCH;
    check(outcome, workers, stoppedEarly);
    return stoppedEarly;
  }

  private static void isolateNowAndThen(LoopSimulation simulation, long seed, int ranks) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 4; i++) {
      int begin = random.nextInt(MAX_ISOLATION_STEPS);
      int end = begin + random.nextInt(MAX_ISOLATION_STEPS);
      simulation.isolate(
          new Isolation(
              random.nextInt(ranks),
              () -> simulation.steps() >= begin,
              () -> simulation.steps() >= end));
    }
  }

  private static void assertSameSums(Outcome outcome, int workers, Way way) throws Exception {
    Outcome calm = calm(workers + way.dedicated(), way, StoppingRule.NONE);
    for (int worker = 0; worker < workers; worker++) {
      assertThat(outcome.rounds().get(worker)).isEqualTo((long) EPOCHS * ROUNDS_PER_EPOCH);
      if (way.exchange() != ExchangeType.GOSSIP) {
        assertThat(outcome.weights().get(worker)).isEqualTo(calm.weights().get(0));
      }
    }
  }

  /** So many checkpoints, and so many abortions, that some meet members that have ended. */
  @Property(tries = 100)
  void abortedCheckpointsDisturbNoMemberThatHasEnded(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int workers, @ForAll("ways") Way way)
      throws Exception {
    int ranks = workers + way.dedicated();
    Outcome outcome = new Outcome();
    LoopSimulation simulation =
        simulation(
            seed,
            ranks,
            way,
            StoppingRule.NONE,
            new Rates(0.2 / (ranks * ranks), 0.02, 0, 0, CUT_RATE),
            outcome,
            new TreeMap<>());
    simulation.checkpointsAtTheEnd(0.5, 0.2);
    simulation.run(1_000_000);

    check(outcome, workers, false);
    oftenEnough("checkpoints", simulation.completedCheckpoints() > 0, 20);
    oftenEnough("aborted when a member had ended", simulation.abortionsAfterAnEnd() > 0, 20);
  }

  /** What comes of a run that nothing disturbs, which is the same each time. */
  private static Outcome calm(int ranks, Way way, StoppingRule target) {
    Map<List<Object>, Outcome> known =
        Store.getOrCreate(
                TrainerUnderCheckpointsTest.class,
                Lifespan.RUN,
                () -> new HashMap<List<Object>, Outcome>())
            .get();
    return known.computeIfAbsent(
        List.of(ranks, way, target),
        key -> {
          try {
            return run(1, ranks, way, target, Rates.CALM).outcome();
          } catch (Exception e) {
            throw new AssertionError("a run that nothing disturbs: " + key, e);
          }
        });
  }

  private static Run run(long seed, int ranks, Way way, StoppingRule target, Rates rates)
      throws Exception {
    Outcome outcome = new Outcome();
    LoopSimulation loop = simulation(seed, ranks, way, target, rates, outcome, new TreeMap<>());
    loop.run(1_000_000);
    if (target.mayStop() && !way.isSynchronous()) {
      // Where a path carries nothing for long, a rank that was absent may have kept all from it.
      checkSameEnd(outcome, ranks - way.dedicated());
    } else {
      check(outcome, ranks - way.dedicated(), target.mayStop());
    }
    return new Run(outcome, loop);
  }

  /**
   * @param trainers by rank: gets those that are running
   */
  private static LoopSimulation simulation(
      long seed,
      int ranks,
      Way way,
      StoppingRule target,
      Rates rates,
      Outcome outcome,
      Map<Integer, SimulatedTrainer> trainers) {
    LoopSimulation simulation =
        new LoopSimulation(
            ranks,
            new SplittableRandom(seed),
            target,
            way.dedicated(),
            rates,
            (rank, port, work, snapshots) -> {
              SimulatedTrainer trainer =
                  new SimulatedTrainer(
                      rank, ranks, way, target.mayStop(), port, work, snapshots, outcome);
              trainers.put(rank, trainer);
              return trainer;
            });
    if (way.exchange() == ExchangeType.SHARING) {
      simulation.eventsComeBeforeTimers();
    }
    return simulation;
  }

  /** Every rank has done all its rounds, and has reported each epoch once. */
  static void check(Outcome outcome, int workers, boolean stopsEarly) {
    int epochs = stopsEarly ? 2 : EPOCHS;
    assertThat(outcome.rounds().values())
        .hasSize(workers)
        .containsOnly((long) epochs * ROUNDS_PER_EPOCH);
    outcome.epochs().forEach((rank, records) -> checkReports(rank, records, epochs));
  }

  /** Each epoch once, with all the samples that the rank has used in it. */
  private static void checkReports(int rank, EpochRecords records, int epochs) {
    assertThat(records.reports())
        .as("reports of rank %d", rank)
        .extracting(EpochReport::epoch)
        .containsExactlyElementsOf(IntStream.range(0, epochs).boxed().toList());
    for (EpochReport report : records.reports()) {
      assertThat(report.rounds()).isEqualTo((report.epoch() + 1L) * ROUNDS_PER_EPOCH);
      assertThat(report.trainSamples())
          .as("samples in %s of rank %d", report, rank)
          .isEqualTo(records.used(report.epoch()));
    }
  }
}
