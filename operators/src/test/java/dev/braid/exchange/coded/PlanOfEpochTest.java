package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.TreeInUse;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.topology.RegularTree;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlanOfEpochTest {

  private static final int WORKERS = 6;
  private static final CodeTree INITIAL = new CodeTree(new RegularTree(WORKERS, 2), 1);

  private static PlanOfEpoch plan(int batch) {
    ExchangeOptions options = ExchangeOptions.defaults(WORKERS).withBatch(batch);
    return new PlanOfEpoch(new ExchangeConfig(0, WORKERS, 10, 5, 0, options));
  }

  /** All alike: redundancy only costs, three times the computation. */
  @Test
  void withoutStragglersATreeWithoutRedundancyIsChosen() {
    PlanOfEpoch plan = plan(10);
    for (int rank = 0; rank < WORKERS; rank++) {
      assertThat(plan.isComplete()).isFalse();
      plan.add(rank, new double[] {0.1, 0.101}, 1e-4);
    }
    assertThat(plan.isComplete()).isTrue();
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    assertThat(chosen.stragglers()).isZero();
    assertThat(chosen.seconds()).isLessThan(0.5f * chosen.secondsBefore());
    plan.forget();
    assertThat(plan.isComplete()).isFalse();
  }

  /** One of six is never in time: it is left out, and no choice is made for a whim. */
  @Test
  void withAStragglerTheTreeBearsIt_andStaysWhereAnotherIsHardlyFaster() {
    PlanOfEpoch plan = plan(10);
    for (int rank = 0; rank < WORKERS; rank++) {
      plan.add(rank, new double[] {rank == 3 ? 100 : 0.1}, 0);
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
      plan.add(rank, rank == 3 ? new double[0] : new double[] {0.1}, 0);
    }
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    assertThat(chosen.children()).isEqualTo(2);
    assertThat(chosen.stragglers()).isOne();
    assertThat(chosen.seconds()).isNaN();
  }

  /** With a batch of one sample a worker, not all trees have some for each. */
  @Test
  void noWorkerIsLeftWithoutSamples() {
    PlanOfEpoch plan = plan(1);
    for (int rank = 0; rank < WORKERS; rank++) {
      plan.add(rank, new double[] {0.1, 0.3, 0.9}, 0.01);
    }
    TreeInUse chosen = plan.choose(INITIAL, () -> new SplittableRandom(1));
    CodeTree tree = new CodeTree(new RegularTree(WORKERS, chosen.children()), chosen.stragglers());
    assertThat(new Allocation(tree, WORKERS).leastLoad()).isPositive();
  }
}
