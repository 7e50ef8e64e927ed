package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.loop.LastRounds.LastRound;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastRoundsTest {

  @AfterEach
  void forget() {
    LastRounds.forget("job");
  }

  @Test
  void theLatestOfAJobsWorkersIsKept_alsoWhereItIsOfFewerRounds() {
    LastRounds.note("job", new LastRound(41, 5_000_000));
    LastRounds.note("job", new LastRound(40, 4_000_000));
    assertThat(LastRounds.of("job")).hasValue(new LastRound(41, 5_000_000));
    LastRounds.note("job", new LastRound(20, 9_000_000));
    assertThat(LastRounds.of("job")).hasValue(new LastRound(20, 9_000_000));
    assertThat(LastRounds.of("job").orElseThrow().quietMillis(12_500_000)).isEqualTo(3);
    assertThat(LastRounds.of("another")).isEmpty();
  }

  @Test
  void nothingIsKeptOfAJobThatIsOver() {
    LastRounds.note("job", new LastRound(41, 5_000_000));
    LastRounds.forget("job");
    assertThat(LastRounds.of("job")).isEmpty();
  }
}
