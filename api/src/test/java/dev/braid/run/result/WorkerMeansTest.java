package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.worker.report.DecodingSums;
import dev.braid.worker.report.RoundSums;
import org.junit.jupiter.api.Test;

class WorkerMeansTest {

  /** Three workers in ten rounds each; one parent did not wait for one in each, another in half. */
  @Test
  void stragglersAreOfARound_andSumsOfAParent() {
    RoundSums sums =
        new RoundSums(
            30,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            new DecodingSums(15, 40, 3, 20, 50_000_000L, new TreeInUse(3, 1, 0.25f, 0.5f)),
            CompressionUse.NONE);
    WorkerMeans means = WorkerMeans.of(sums, 3);
    assertThat(means.stragglers()).isEqualTo(1.5);
    assertThat(means.lateMessages()).isEqualTo(40);
    assertThat(means.decodedSets()).isEqualTo(3);
    assertThat(means.sumSeconds()).isEqualTo(0.0025);
    assertThat(means.treeInWords())
        .contains(
            "planned: n = 3, s = 1, 250.0 ms per round expected, 500.0 ms with the tree before");
    assertThat(means.hasAnotherTreeThan(means)).isFalse();
  }

  @Test
  void whereNothingIsDecodedAllIsZero() {
    WorkerMeans means = WorkerMeans.of(RoundSums.NONE, 3);
    assertThat(means).isEqualTo(new WorkerMeans(0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(means.treeInWords()).isEmpty();
  }
}
