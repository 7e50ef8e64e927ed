package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputEndsTest {

  @Test
  void roundsAreCountedWhenAllInputsHaveEnded_andTheMostDecide() {
    InputEnds ends = new InputEnds(3);
    assertThat(ends.ended(1)).isFalse();
    assertThat(ends.ended(0)).isFalse();
    // A repeated notice of a member does not count as a second end.
    assertThat(ends.ended(0)).isFalse();
    assertThat(ends.ended(2)).isTrue();
    assertThat(ends.ended(2)).isFalse();

    assertThat(ends.counted(1, 7)).isEmpty();
    assertThat(ends.counted(0, 0)).isEmpty();
    assertThat(ends.counted(0, 0)).isEmpty();
    assertThat(ends.counted(2, 5)).hasValue(7);
  }
}
