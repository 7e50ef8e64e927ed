package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.option.TypedTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedTest {

  @ParameterizedTest
  @CsvSource({
    "0s, 0ms",
    "7d, 7d",
    "169h, 169h",
    "90s, 90s",
    "60500ms, 60500ms",
    "9999us, 9999us",
    "1ns, 1ns",
    "PT36H, 36h",
    "1000000us, 1s"
  })
  void aTimeIsInTheLargestUnitThatDividesIt(String typed, String shown) {
    assertThat(Typed.time(TypedTime.read(typed))).isEqualTo(shown);
  }
}
