package dev.braid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.bench.scale.ExchangesAtScale.Figures;
import dev.braid.bench.scale.ExchangesAtScale.Subject;
import org.junit.jupiter.api.Test;

class ExchangesAtScaleTest {

  private static final double MEGABYTES_PER_SECOND = 125;

  /**
   * The line is full, except for the remainder when p is rounded up, and a round takes a gradient's
   * time.
   */
  @Test
  void ako_sendsAsMuchASecond_andTakesAsLong_howeverManyThereAre() {
    for (int workers : new int[] {8, 32, 64}) {
      Figures figures = measure("ako", workers);
      assertThat(figures.bytesPerSecond() / 1e6 / MEGABYTES_PER_SECOND).isBetween(0.88, 1.02);
      assertThat(figures.roundMillis()).isCloseTo(20, within(1.5));
    }
  }

  /** The expected traffic is 2(n − 1)/n of a vector of 1.63 MB. */
  @Test
  void ring_sendsLessThanTwoVectorsARound() {
    assertThat(measure("ring", 32).bytesPerRound() / 1e6).isCloseTo(3.15, within(0.1));
  }

  @Test
  void allToAll_takesTheTimeOfAllOthersGradients() {
    Figures figures = measure("all-to-all", 16);
    assertThat(figures.roundMillis())
        .isCloseTo(15 * 1.628 / MEGABYTES_PER_SECOND * 1e3, within(9.0));
  }

  private static Figures measure(String title, int workers) {
    for (Subject subject : ExchangesAtScale.SUBJECTS) {
      if (subject.title().equals(title)) {
        return ExchangesAtScale.measure(subject, workers);
      }
    }
    throw new AssertionError("there is no " + title);
  }
}
