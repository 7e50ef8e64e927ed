package dev.braid.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StrongComponentsTest {

  @Test
  void aCircleOfOneWayLinksIsOneComponent() {
    assertThat(StrongComponents.of(List.of(List.of(2), List.of(0), List.of(1))))
        .containsExactly(List.of(0, 1, 2));
  }

  @Test
  void aRankThatHearsAndIsNotHeardIsByItself() {
    assertThat(StrongComponents.of(List.of(List.of(1), List.of(0), List.of(0, 1))))
        .containsExactly(List.of(0, 1), List.of(2));
  }

  @Test
  void componentsComeByTheirLowestRank() {
    assertThat(
            StrongComponents.of(List.of(List.of(3), List.of(2), List.of(1), List.of(0), List.of())))
        .containsExactly(List.of(0, 3), List.of(1, 2), List.of(4));
  }
}
