package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopEndTest {

  @Test
  void isOneForAllOfAJobAndForNoOther() {
    try (LoopEnd source = LoopEnd.join("job");
        LoopEnd worker = LoopEnd.join("job");
        LoopEnd other = LoopEnd.join("other")) {
      assertThat(source.reached()).isNotDone();
      worker.reach();
      assertThat(source.reached()).isDone();
      assertThat(other.reached()).isNotDone();
    }
  }

  @Test
  void isForgottenWithTheLastOfItsAttempt() {
    LoopEnd source = LoopEnd.join("job");
    LoopEnd worker = LoopEnd.join("job");
    worker.reach();
    worker.close();
    worker.close();
    try (LoopEnd late = LoopEnd.join("job")) {
      assertThat(late.reached()).isDone();
      source.close();
    }
    try (LoopEnd restarted = LoopEnd.join("job")) {
      assertThat(restarted.reached()).isNotDone();
    }
  }
}
