package dev.braid.exchange.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTimeoutTest {

  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "Adaptive", " ADAPTIVE "})
  void adaptiveMayHaveCapitals_asUnitsMay(String text) {
    assertThat(LinkTimeout.of(text)).isEqualTo(LinkTimeout.ADAPTIVE);
  }

  @Test
  void aTimeIsFixed() {
    assertThat(LinkTimeout.of("2S")).isEqualTo(new LinkTimeout.Fixed(Duration.ofSeconds(2)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "500ms", "1500us", "1000001ns"})
  void isShownAsItCanBeTyped(String text) {
    LinkTimeout timeout = LinkTimeout.of(text);
    assertThat(LinkTimeout.of(timeout.toString())).isEqualTo(timeout);
  }

  @ParameterizedTest
  @ValueSource(strings = {"adaptively", "0ms", "999us", "5"})
  void whatIsNeitherSaysWhatIsPossible(String text) {
    assertThatThrownBy(() -> LinkTimeout.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("adaptive");
  }
}
