package dev.braid.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TimesOfRoundsTest {

  @Test
  void fewTimesAreToldAsTheyWere_inOrder() {
    TimesOfRounds times = new TimesOfRounds();
    assertThat(times.quantiles(TimesOfRounds.QUANTILES)).isEmpty();
    times.add(3e9);
    times.add(1e9);
    times.add(2e9);
    assertThat(times.quantiles(TimesOfRounds.QUANTILES)).containsExactly(1, 2, 3);
  }

  /** A tenth of the rounds, spread over the run, takes ten times as long. */
  @Test
  void ofManyTheShareOfSlowOnesIsAboutRight() {
    TimesOfRounds times = new TimesOfRounds();
    for (int i = 0; i < 100_000; i++) {
      times.add(i % 1000 < 100 ? 10e9 : 1e9);
    }
    double[] quantiles = times.quantiles(TimesOfRounds.QUANTILES);
    assertThat(quantiles).hasSize(32).isSorted();
    assertThat((double) Arrays.stream(quantiles).filter(seconds -> seconds > 5).count())
        .isCloseTo(3.2, within(2.0));
  }

  /** The last times are as likely to be kept as the first. */
  @Test
  void whatIsKeptIsOfTheWholeRun() {
    TimesOfRounds times = new TimesOfRounds();
    int count = 10_000;
    for (int i = 0; i < count; i++) {
      times.add(i * 1e9);
    }
    double[] quantiles = times.quantiles(TimesOfRounds.QUANTILES);
    for (int i = 0; i < quantiles.length; i++) {
      assertThat(quantiles[i] / count).isCloseTo((i + 0.5) / quantiles.length, within(0.03));
    }
  }
}
