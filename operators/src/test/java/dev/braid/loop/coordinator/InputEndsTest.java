package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputEndsTest {

  @Test
  void theLongestInputDecidesWhenAllHaveEnded() {
    InputEnds ends = new InputEnds(3);
    assertThat(ends.add(1, 7)).isEmpty();
    assertThat(ends.add(0, 0)).isEmpty();
    // A repeated report of a member does not count as a second end.
    assertThat(ends.add(0, 0)).isEmpty();
    assertThat(ends.add(2, 5)).hasValue(7);
  }
}
