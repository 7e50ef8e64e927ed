package dev.braid.chaos.sim.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ComputeTimeTest {

  private static final int DRAWS = 100_000;

  /** The shift is a·d and the mean a·d + d/μ: for d = 100, a = 20, μ = 0.1, 2,000 and 3,000. */
  @Test
  void shiftedExponential_hasTheShiftAndMeanOfThePaper() {
    ComputeTime time = ComputeTime.shiftedExponential(3, 100, 20, 0.1);
    assertThat(draws(time).min()).hasValue(2_000);
    assertThat(draws(time).average()).hasValueCloseTo(3_000.0, within(15.0));
  }

  @Test
  void uniform_staysBetweenItsBoundsAndReachesBoth() {
    ComputeTime time = ComputeTime.uniform(3, 10, 20);
    assertThat(draws(time).min()).hasValue(10);
    assertThat(draws(time).max()).hasValue(20);
  }

  @Test
  void sameRankAndRound_sameTime() {
    ComputeTime time = ComputeTime.uniform(3, 0, Integer.MAX_VALUE);
    assertThat(time.nanos(4, 5)).isEqualTo(time.nanos(4, 5)).isNotEqualTo(time.nanos(5, 4));
  }

  /** A tenth of the gradients take 1 to 99 times as long: 50 times on average. */
  @Test
  void outliers_areAsManyAndAsLongAsSaid() {
    ComputeTime time = ComputeTime.constant(1_000).withOutliers(3, 0.1, 99);
    assertThat(draws(time).filter(nanos -> nanos > 1_000).count()).isBetween(9_700L, 10_300L);
    assertThat(draws(time).max().orElseThrow()).isBetween(98_000L, 99_000L);
    assertThat(draws(time).average()).hasValueCloseTo(5_900.0, within(100.0));
    assertThatThrownBy(() -> time.withOutliers(3, 1.1, 99)).hasMessageContaining("share of 1.1");
  }

  @Test
  void parametersThatAreNone_areRefused() {
    assertThatThrownBy(() -> ComputeTime.uniform(1, 3, 2)).hasMessageContaining("3 to 2 ns");
    assertThatThrownBy(() -> ComputeTime.shiftedExponential(1, 1, 1, 0))
        .hasMessageContaining("rate 0.0");
  }

  private static LongStream draws(ComputeTime time) {
    return LongStream.range(0, DRAWS).map(round -> time.nanos(1, round));
  }
}
