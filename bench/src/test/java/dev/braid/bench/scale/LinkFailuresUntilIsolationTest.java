package dev.braid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.bench.scale.LinkFailuresUntilIsolation.Means;
import org.junit.jupiter.api.Test;

class LinkFailuresUntilIsolationTest {

  /** In a triangle, any two failures leave one rank without a link. */
  @Test
  void threeRanks_twoFailures() {
    assertThat(LinkFailuresUntilIsolation.measure(3, 100, 1)).isEqualTo(new Means(3, 3, 2, 2));
  }

  @Test
  void sevenRanks_moreLinksThanATreeHas_andLessThanAllFail() {
    Means means = LinkFailuresUntilIsolation.measure(7, 10_000, 1);
    assertThat(means.links()).isEqualTo(6 + 3 + 4);
    assertThat(means.untilIsolated()).isBetween(6.0, 9.0);
    assertThat(means.untilParted()).isLessThanOrEqualTo(means.untilIsolated());
  }

  @Test
  void numberGrowsWithHeight_andShareFalls_asInThePaper() {
    Means before = LinkFailuresUntilIsolation.measure(3, 2_000, 1);
    for (int ranks : new int[] {7, 15, 31, 63}) {
      Means means = LinkFailuresUntilIsolation.measure(ranks, 2_000, 1);
      assertThat(means.untilIsolated()).isGreaterThan(before.untilIsolated());
      assertThat(means.untilIsolated() / means.links())
          .isLessThan(before.untilIsolated() / before.links());
      before = means;
    }
  }

  @Test
  void sameSeed_sameMeans_andAnotherAlmost() {
    Means one = LinkFailuresUntilIsolation.measure(15, 5_000, 1);
    assertThat(LinkFailuresUntilIsolation.measure(15, 5_000, 1)).isEqualTo(one);
    assertThat(LinkFailuresUntilIsolation.measure(15, 5_000, 2).untilIsolated())
        .isCloseTo(one.untilIsolated(), within(0.5));
  }
}
