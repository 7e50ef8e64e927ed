package dev.braid.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunClockTest {

  private final RunClock saved = RunClock.start("a", 10_000).saved(14_000);

  @Test
  void aFailureOfTheSameJobCostsTime() {
    assertThat(saved.restored("a", 20_000).seconds(21_000)).isEqualTo(11);
  }

  @Test
  void theTimeUntilAnotherJobGoesOnDoesNotCount() {
    RunClock other = saved.restored("b", 500_000);
    assertThat(other.seconds(501_500)).isEqualTo(5.5);
    assertThat(other.saved(502_000).restored("c", 900_000).seconds(900_000)).isEqualTo(6);
  }
}
