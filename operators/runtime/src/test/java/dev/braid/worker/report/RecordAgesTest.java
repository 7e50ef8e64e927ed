package dev.braid.worker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordAgesTest {

  private static final long NOW = 1_795_000_000_000L;

  private final RecordAges ages = new RecordAges();

  private void add(long nowMillis, long... millis) {
    ages.add(LongStream.of(millis).map(age -> nowMillis - age).toArray(), nowMillis);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 15, 16, 17, 31, 32, 33, 1000, 123_456_789, NOW})
  void anAgeIsAsItWasUpToRounding(long age) {
    add(NOW, age);
    long read = Math.round(ages.quantile(1, NOW) * 1e3);
    assertThat(read).isBetween(age, age + (age < 16 ? 0 : age / 15));
    assertThat(ages.quantile(1e-9, NOW)).isEqualTo(ages.quantile(1, NOW));
  }

  @Test
  void quantilesCountRecords() {
    add(NOW, LongStream.rangeClosed(1, 100).map(i -> i * 100).toArray());
    assertThat(ages.quantile(0.5, NOW)).isCloseTo(5, within(0.35));
    assertThat(ages.quantile(0.99, NOW)).isCloseTo(9.9, within(0.7));
    add(NOW, LongStream.range(0, 1000).map(i -> 3).toArray());
    assertThat(ages.quantile(0.5, NOW)).isEqualTo(0.003);
  }

  @Test
  void oldRoundsAreForgotten() {
    assertThat(ages.quantile(0.5, NOW)).isNaN();
    add(NOW, 1);
    assertThat(ages.quantile(0.5, NOW + 14_999)).isEqualTo(0.001);
    add(NOW + 15_000, 9, 9);
    assertThat(ages.quantile(0.1, NOW + 29_999)).isEqualTo(0.001);
    assertThat(ages.quantile(0.1, NOW + 30_000)).isEqualTo(0.009);
    assertThat(ages.quantile(0.1, NOW + 60_000)).isNaN();
  }

  @Test
  void aRecordOfTheFutureIsNew_andOneWithoutATimeDoesNotCount() {
    add(NOW, NOW + 1);
    assertThat(ages.quantile(0.5, NOW)).isNaN();
    add(NOW, -5_000);
    assertThat(ages.quantile(0.5, NOW)).isZero();
  }
}
