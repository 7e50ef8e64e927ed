package dev.braid.run.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpochStepsTest {

  @Test
  void fewerWorkersTakeMoreRounds() {
    EpochSteps rounds = new EpochSteps(60_000, 100, 0, false);
    assertThat(rounds.of(4)).isEqualTo(150);
    assertThat(rounds.of(2)).isEqualTo(300);
    assertThat(new EpochSteps(601, 4, 0, false).of(3)).isEqualTo(51);
  }

  @Test
  void whereEachGradientIsAStepAnyNumberOfWorkersTakesAsMany() {
    EpochSteps gradients = new EpochSteps(60_000, 100, 0, true);
    assertThat(gradients.of(4)).isEqualTo(600);
    assertThat(gradients.of(2)).isEqualTo(600);
  }
}
