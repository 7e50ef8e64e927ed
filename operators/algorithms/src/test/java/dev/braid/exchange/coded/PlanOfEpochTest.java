package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.TimesOfRounds;
import dev.braid.coding.TreeInUse;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.topology.RegularTree;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanOfEpochTest {

  private static final int WORKERS = 6;
  private static final int MANY = 84;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final CodeTree INITIAL = new CodeTree(new RegularTree(WORKERS, 2), 1);

  private static PlanOfEpoch plan(int batch) {
    return plan(WORKERS, batch);
  }

  private static PlanOfEpoch plan(int workers, int batch) {
    ExchangeOptions options = ExchangeOptions.defaults(workers).withBatch(batch);
    return new PlanOfEpoch(new ExchangeConfig(0, workers, 10, 5, 0, options));
  }

  /** All workers are equally fast: redundancy would only cost three times the computation. */
  @Test
  void withoutStragglersATreeWithoutRedundancyIsChosen() {
    PlanOfEpoch plan = plan(10);
    for (int rank = 0; rank < WORKERS; rank++) {
      assertThat(plan.isComplete()).isFalse();
      plan.add(rank, EpochTimes.of(new double[] {0.1, 0.101}, 1e-4));
    }
    assertThat(plan.isComplete()).isTrue();
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    assertThat(chosen.stragglers()).isZero();
    assertThat(chosen.seconds()).isLessThan(0.5f * chosen.secondsBefore());
    plan.forget();
    assertThat(plan.isComplete()).isFalse();
  }

  /**
   * One of six workers is never in time: it is not waited for, and a slightly faster tree is no
   * reason to change.
   */
  @Test
  void withAStragglerTheTreeBearsIt_andStaysWhereAnotherIsHardlyFaster() {
    PlanOfEpoch plan = plan(10);
    for (int rank = 0; rank < WORKERS; rank++) {
      plan.add(rank, EpochTimes.of(new double[] {rank == 3 ? 100 : 0.1}, 0));
    }
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    assertThat(chosen.stragglers()).isPositive();
    CodeTree tree = new CodeTree(new RegularTree(WORKERS, chosen.children()), chosen.stragglers());
    TreeInUse again = plan.choose(tree, () -> new SplittableRandom(1));
    assertThat(again.children()).isEqualTo(chosen.children());
    assertThat(again.stragglers()).isEqualTo(chosen.stragglers());
    assertThat(again.seconds()).isEqualTo(again.secondsBefore());
  }

  @Test
  void whereAWorkersTimesAreNotKnownTheTreeStays() {
    PlanOfEpoch plan = plan(10);
    for (int rank = 0; rank < WORKERS; rank++) {
      plan.add(rank, EpochTimes.of(rank == 3 ? new double[0] : new double[] {0.1}, 0));
    }
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    assertThat(chosen.children()).isEqualTo(2);
    assertThat(chosen.stragglers()).isOne();
    assertThat(chosen.seconds()).isNaN();
  }

  /** All ranks wait for the choice at an epoch's end. The time bound is only a safeguard. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 3, 30})
  void ofManyWorkersATreeIsChosenInAFractionOfASecond(double slowest) {
    for (int batch : new int[] {1, 100}) {
      PlanOfEpoch plan = plan(MANY, batch);
      SplittableRandom random = new SplittableRandom(5);
      for (int rank = 0; rank < MANY; rank++) {
        double factor = rank % 20 == 0 ? slowest : 1;
        double[] seconds =
            random.doubles(TimesOfRounds.QUANTILES, 0.1, 0.2).map(it -> factor * it).toArray();
        plan.add(rank, EpochTimes.of(seconds, 1e-4));
      }
      CodeTree inUse = new CodeTree(new RegularTree(MANY, 9), 2);
      long begun = THREADS.getCurrentThreadCpuTime();
      TreeInUse chosen = plan.choose(inUse, () -> new SplittableRandom(1));
      double seconds = (THREADS.getCurrentThreadCpuTime() - begun) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%d workers, batch %d, every 20th %.0f times as slow: n = %d, s = %d in %.0f ms of the processor%n",
          MANY,
          batch,
          slowest,
          chosen.children(),
          chosen.stragglers(),
          1e3 * seconds);
      assertThat(chosen.children()).isPositive();
      assertThat(seconds).isLessThan(2);
    }
  }

  /** With a batch of one sample per worker, some trees leave a worker without samples. */
  @Test
  void noWorkerIsLeftWithoutSamples() {
    PlanOfEpoch plan = plan(1);
    for (int rank = 0; rank < WORKERS; rank++) {
      plan.add(rank, EpochTimes.of(new double[] {0.1, 0.3, 0.9}, 0.01));
    }
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    CodeTree tree = new CodeTree(new RegularTree(WORKERS, chosen.children()), chosen.stragglers());
    assertThat(new Allocation(tree, WORKERS).leastLoad()).isPositive();
  }
}
