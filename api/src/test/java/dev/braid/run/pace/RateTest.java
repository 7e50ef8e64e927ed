package dev.braid.run.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateTest {

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;

  private final Rate rate = new Rate();

  @Test
  void isThatOfAllRanksTogether() {
    for (int tick = 0; tick < 40; tick++) {
      for (int rank = 0; rank < 4; rank++) {
        rate.add(rank, tick * SECOND / 4 + rank * MILLI, 2500, 2500 * 0.5);
      }
    }
    assertThat(rate.samplesPerSecond(10 * SECOND)).isCloseTo(40_000, within(1.0));
    assertThat(rate.loss()).isEqualTo(0.5);
  }

  /** Four workers with batches of 500 and rounds of 8.3 s train on 241 samples a second. */
  @Test
  void isRightWhereRoundsTakeSeconds() {
    for (int round = 0; round < 5; round++) {
      for (int rank = 0; rank < 4; rank++) {
        rate.add(rank, round * 8300L * MILLI + rank * MILLI, 500, 500);
        if (round == 0) {
          assertThat(rate.samplesPerSecond(0)).as("before a second report").isZero();
        } else {
          assertThat(rate.samplesPerSecond(round * 8300L * MILLI)).isLessThan(242);
        }
      }
    }
    assertThat(rate.samplesPerSecond(40 * SECOND)).isCloseTo(2000 / 8.3, within(0.1));
  }

  /** A report without samples is that of a rank whose view has changed. */
  @Test
  void aReportOfNothingRightBehindAnotherChangesNothing() {
    rate.add(0, 0, 500, 500);
    rate.add(0, 8 * SECOND, 500, 500);
    rate.add(0, 8 * SECOND + 1, 0, 0);
    assertThat(rate.samplesPerSecond(8 * SECOND + 1)).isCloseTo(62.5, within(0.1));
  }

  @Test
  void forgetsWhatIsLongerAgoThanTheWindow() {
    for (int second = 0; second < 20; second++) {
      rate.add(0, second * SECOND, second < 10 ? 100 : 1000, 0);
    }
    assertThat(rate.samplesPerSecond(20 * SECOND)).isCloseTo(1000, within(0.1));
  }

  @Test
  void ranksThatAreLeftOutDoNotCount() {
    for (int second = 0; second < 3; second++) {
      rate.add(0, second * SECOND, 100, 0);
      rate.add(1, second * SECOND, 100, 0);
    }
    rate.forget(1);
    assertThat(rate.samplesPerSecond(3 * SECOND)).isCloseTo(100, within(0.1));
    rate.forgetAll();
    assertThat(rate.samplesPerSecond(3 * SECOND)).isZero();
  }

  @Test
  void whoStandsStillCountsAsNothing_andTheTimeOfThatIsNoRate() {
    for (int tick = 0; tick < 20; tick++) {
      rate.add(0, tick * SECOND / 4, 2500, 2500);
      rate.add(1, tick * SECOND / 4, 2500, 2500);
    }
    assertThat(rate.samplesPerSecond(6 * SECOND)).isCloseTo(20_000, within(1.0));
    assertThat(rate.samplesPerSecond(7 * SECOND)).as("no report for 2.25 s").isZero();
    assertThat(rate.steadySamplesPerSecond(7 * SECOND)).isZero();
    rate.add(0, 64 * SECOND, 300, 300);
    assertThat(rate.samplesPerSecond(64 * SECOND)).as("one is back").isCloseTo(10_000, within(1.0));
    rate.add(0, 64 * SECOND + SECOND / 4, 2500, 2500);
    rate.add(1, 64 * SECOND + SECOND / 4, 2500, 2500);
    assertThat(rate.samplesPerSecond(65 * SECOND)).isCloseTo(20_000, within(1.0));
    assertThat(rate.steadySamplesPerSecond(65 * SECOND)).isCloseTo(20_000, within(1.0));
  }

  /** A few slow seconds change the estimate only slightly. */
  @Test
  void theSteadyRateIsOfHalfAMinute() {
    for (int second = 0; second <= 60; second++) {
      rate.add(0, second * SECOND, second <= 57 ? 1000 : 100, 0);
    }
    assertThat(rate.samplesPerSecond(60 * SECOND)).isCloseTo(100, within(0.1));
    assertThat(rate.steadySamplesPerSecond(60 * SECOND)).isCloseTo(910, within(0.1));
  }
}
