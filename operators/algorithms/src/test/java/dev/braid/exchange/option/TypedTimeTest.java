package dev.braid.exchange.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.flink.util.TimeUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedTimeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0ms",
        "500ms",
        " 10 s ",
        "10S",
        "2min",
        "2m",
        "3 Hours",
        "1hour",
        "365d",
        "1 day",
        "7ns",
        "1nano",
        "2nanoseconds",
        "3µs",
        "4 micros",
        "1 microsecond",
        "5millis",
        "6 milliseconds",
        "7sec",
        "8secs",
        "9 second",
        "1minute",
        "PT10S",
        "pt1h2m3.5s",
        "P2D"
      })
  void isWhatFlinkTakesItFor(String text) {
    assertThat(TypedTime.read(text)).isEqualTo(TimeUtils.parseDuration(text));
  }

  @ParameterizedTest
  @CsvSource({"250us, 250000", "1us, 1000", "2\u03bcs, 2000", "3 \u039cS, 3000"})
  void microsecondsMayBeTypedWithoutTheirSign(String text, long nanos) {
    assertThat(TypedTime.read(text)).isEqualTo(Duration.ofNanos(nanos));
  }

  @ParameterizedTest
  @CsvSource({
    "60, 'needs a unit: 60ms, 60s or 60min'",
    "' 5 ', 'needs a unit: 5ms, 5s or 5min'",
    "'', 'must be a time such as 500ms, 10s or 2min'",
    "soon, 'must be a time such as 500ms, 10s or 2min'",
    "10 fortnights, 'must be a time such as 500ms, 10s or 2min'",
    "1.5s, 'must be a time such as 500ms, 10s or 2min'",
    "-1s, 'must be a time such as 500ms, 10s or 2min'",
    "PT-1S, 'must be a time such as 500ms, 10s or 2min'",
    "10s s, 'must be a time such as 500ms, 10s or 2min'",
    "366d, must be 365d or less",
    "31536001s, must be 365d or less",
    "PT8761H, must be 365d or less",
    "99999999999999999999999ns, must be 365d or less"
  })
  void saysWhatIsNeeded(String text, String needed) {
    assertThatThrownBy(() -> TypedTime.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(needed);
  }
}
