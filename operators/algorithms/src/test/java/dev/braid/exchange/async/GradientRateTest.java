package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GradientRateTest {

  private static final long MILLIS = 1_000_000;

  private final GradientRate rate = new GradientRate(0);
  private long now;

  @Test
  void isTheMean_ofTheTimeInWhichItMayCompute() {
    for (int i = 0; i < GradientRate.LEAST; i++) {
      compute(i % 2 == 0 ? 8 : 12, i == 0 ? 0 : 100);
    }
    assertThat(rate.perSecond()).isCloseTo(100, within(1e-6));
  }

  @Test
  void whatIsDoneForOthersBetweenTwo_counts() {
    for (int i = 0; i < GradientRate.LEAST; i++) {
      now += 2 * MILLIS;
      rate.note(false, now);
      compute(8, 30);
    }
    assertThat(rate.perSecond()).isCloseTo(100, within(1e-6));
  }

  @Test
  void anEvaluationBetweenTwo_doesNotCount() {
    for (int i = 0; i < 12; i++) {
      compute(i == 7 ? 500 : 10, 0);
    }
    assertThat(rate.perSecond()).isCloseTo(100, within(1e-6));
  }

  /** At most two times are excluded, and only if they are many times the others. */
  @Test
  void fewWaitsForAProcessor_count() {
    for (int i = 0; i < 32; i++) {
      compute(i % 6 == 0 ? 20 : 1, 0);
    }
    assertThat(rate.perSecond()).isCloseTo(32 / 0.146, within(1e-3));
  }

  @Test
  void waitsForAProcessor_count() {
    for (int i = 0; i < 12; i++) {
      compute(i % 3 == 0 ? 28 : 1, 0);
    }
    assertThat(rate.perSecond()).isCloseTo(100, within(1e-6));
  }

  @Test
  void isNotKnownBeforeThereAreSome_norAfterItIsForgotten() {
    assertThat(rate.isKnown()).isFalse();
    for (int i = 0; i < GradientRate.LEAST; i++) {
      compute(10, 0);
    }
    assertThat(rate.isKnown()).isTrue();
    rate.forget();
    assertThat(rate.isKnown()).isFalse();
  }

  private void compute(long millis, long waitMillis) {
    rate.note(waitMillis == 0, now);
    now += waitMillis * MILLIS;
    rate.note(true, now);
    now += millis * MILLIS;
    rate.computed(now);
  }
}
