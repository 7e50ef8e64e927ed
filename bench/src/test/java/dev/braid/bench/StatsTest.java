package dev.braid.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StatsTest {

  @Test
  void medianOfAnOddCountIsTheMiddleValue() {
    assertThat(Stats.of(9, 1, 5)).isEqualTo(new Stats(3, 5, 1, 9));
  }

  @Test
  void medianOfAnEvenCountIsBetweenTheMiddleValues() {
    assertThat(Stats.of(4, 1, 2, 100)).isEqualTo(new Stats(4, 3, 1, 100));
  }

  @Test
  void leavesTheValuesInTheirOrder() {
    double[] values = {3, 1, 2};
    Stats unused = Stats.of(values);
    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void ofNothingIsAnError() {
    assertThatThrownBy(() -> Stats.of()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void lineIsMedianMinMax() {
    assertThat(Stats.of(1, 2, 4).line()).isEqualTo("2.000 1.000 4.000");
  }
}
