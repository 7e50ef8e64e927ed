package dev.braid.exchange.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandwidthTest {

  @ParameterizedTest
  @CsvSource({
    "100mbit, 12.5e6",
    "1gbit, 125e6",
    "500kbit, 62500",
    "0.5gbit, 62.5e6",
    "0.5kbit, 62.5",
    "10000gbit, 1.25e12"
  })
  void isInBitsWithDecimalUnits(String text, double bytesPerSecond) {
    assertThat(Bandwidth.bytesPerSecond(text)).isEqualTo(bytesPerSecond);
    String title = Bandwidth.title(bytesPerSecond);
    assertThat(Bandwidth.bytesPerSecond(title)).isEqualTo(bytesPerSecond);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "100", "-1mbit", "1e3mbit", "0mbit", "100MB", "1.mbit"})
  void isRefusedInAnyOtherForm(String text) {
    assertThatThrownBy(() -> Bandwidth.bytesPerSecond(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as 500kbit, 100mbit or 1gbit");
  }
}
