package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests coded sums over trees whose last layer has gaps, as with any number of workers that is not
 * n + … + n^L: some parents have fewer children than others, and tolerate fewer stragglers. The
 * answers in a sum depend on which ranks are late, so bits may differ between two runs, but never
 * between two ranks.
 */
class CodedGapsTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 12;

  /**
   * A tree, and the number of children that may be late below each parent with a full set of
   * children.
   */
  private record Form(int workers, int children, int stragglers) {

    ExchangeOptions options() {
      return ExchangeOptions.defaults(workers)
          .with(CodedOptions.CHILDREN, children)
          .with(CodedOptions.STRAGGLERS, stragglers);
    }

    CodeTree codes() {
      CodeTree codes = ExchangeType.CODED.descriptor().codes(options(), workers).orElseThrow();
      assertThat(codes.tree().isRegular()).isFalse();
      assertThat(codes.stragglers()).isEqualTo(stragglers);
      return codes;
    }
  }

  /** Trees whose coefficients are all 1, so that sums of whole numbers are exact. */
  private static final List<Form> REPETITIONS =
      List.of(
          new Form(5, 2, 1),
          new Form(7, 2, 1),
          new Form(11, 2, 1),
          new Form(11, 4, 3),
          new Form(7, 4, 3));

  private static final List<Form> CYCLIC =
      List.of(
          new Form(5, 3, 1),
          new Form(7, 3, 1),
          new Form(11, 3, 1),
          new Form(11, 4, 2),
          new Form(7, 5, 2),
          new Form(11, 5, 3));

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Form> repetitions() {
    return Arbitraries.of(REPETITIONS);
  }

  @Provide
  Arbitrary<Form> forms() {
    return Arbitraries.oneOf(Arbitraries.of(REPETITIONS), Arbitraries.of(CYCLIC));
  }

  @UnderFaults
  @Property(tries = 40)
  void faultsOfLinks_leaveSumsOfWholeNumbersExact(
      @ForAll("repetitions") Form form, @ForAll long seed) {
    Gradients own = runs().simulation(form.workers(), seed).build().gradients().drawnOnce();
    Simulation.Builder run =
        runs()
            .simulation(form.workers(), seed)
            .options(form.options())
            .rounds(ROUNDS)
            .gradients(CodedGradients.of(own, form.codes()))
            .check(() -> ExactRoundSums.exact(own, form.workers()));
    SimulationResult result = tally.add(FaultRuns.under(Faults.ANY, run).build().run());
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.unreleased()).as("slices not released").isZero();
    checkReplicas(form, own, result);
  }

  @UnderFaults
  @Property(tries = 40)
  void faultsOfLinks_leaveSumsAsTheyAreUpToRounding_alsoAmongCheckpoints(
      @ForAll("forms") Form form, @ForAll long seed) {
    Gradients own = runs().withReals(form.workers(), seed).build().gradients().drawnOnce();
    SimulationResult faulty =
        tally.add(FaultRuns.under(Faults.ANY, withReals(form, own, seed)).build().run());
    checkReplicas(form, own, faulty);
    SplittableRandom random = new SplittableRandom(seed);
    SimulationResult saved =
        FaultRuns.under(Faults.ANY, withReals(form, own, seed))
            .checkpointsAfterEvents(random.longs(3, 0, faulty.events()).toArray())
            .build()
            .run();
    assertThat(saved.pauses()).isPositive();
    checkReplicas(form, own, saved);
  }

  /**
   * The straggler may be at any place, even the only child of its parent, whose brother stands in
   * for both.
   */
  @Example
  void oneStragglerAnywhereCostsNoTime() {
    for (Form form : List.of(new Form(5, 2, 1), new Form(7, 3, 1))) {
      long calm = last(straggling(form, -1));
      for (int straggler = 0; straggler < form.workers(); straggler++) {
        assertThat(last(straggling(form, straggler)))
            .as("%s, straggler %d", form, straggler)
            .isLessThan((long) (1.05 * calm));
      }
    }
  }

  private static SimulationResult straggling(Form form, int straggler) {
    Gradients own = runs().withReals(form.workers(), 4).build().gradients().drawnOnce();
    return ExchangeSuite.onFastLinks(withReals(form, own, 4), 4)
        .computeTime(ComputeTime.constant(10 * MILLIS).straggling(straggler, 100, 0, ROUNDS))
        .build()
        .run();
  }

  private static FaultRuns runs() {
    return new FaultRuns(ExchangeType.CODED::create);
  }

  private static Simulation.Builder withReals(Form form, Gradients own, long seed) {
    return runs()
        .withReals(form.workers(), seed)
        .options(form.options())
        .rounds(ROUNDS)
        .gradients(CodedGradients.of(own, form.codes()))
        .check(() -> ExactRoundSums.agreeing(own, form.workers()));
  }

  /**
   * Checks that replicas are equal at all ranks, and equal to the result of a plain loop over the
   * workers' own gradients.
   */
  private static void checkReplicas(Form form, Gradients own, SimulationResult result) {
    float[] first = result.replicas()[0];
    double[] plain = new double[first.length];
    double largest = 1;
    for (int round = 0; round < ROUNDS; round++) {
      double[] sum = new double[plain.length];
      long samples = 0;
      for (int rank = 0; rank < form.workers(); rank++) {
        float[] gradient = own.of(rank, round).gradient();
        samples += own.of(rank, round).samples();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += gradient[i];
          largest = Math.max(largest, Math.abs(gradient[i]));
        }
      }
      for (int i = 0; samples > 0 && i < sum.length; i++) {
        plain[i] -= sum[i] / samples;
      }
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(first);
    }
    for (int i = 0; i < plain.length; i++) {
      assertThat((double) first[i]).isCloseTo(plain[i], within(1e-3 * largest));
    }
  }

  private static long last(SimulationResult result) {
    return result.roundEndNanos()[ROUNDS - 1];
  }
}
