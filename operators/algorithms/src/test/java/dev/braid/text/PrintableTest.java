package dev.braid.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {

  /**
   * A terminal also obeys single characters beyond ASCII; others hide or reorder the following
   * text.
   */
  @ParameterizedTest
  @CsvSource({
    "1b, \\u001b",
    "0a, \\n",
    "0d, \\r",
    "09, \\t",
    "00, \\u0000",
    "7f, \\u007f",
    "9b, \\u009b",
    "ad, \\u00ad",
    "200b, \\u200b",
    "202e, \\u202e",
    "2028, \\u2028",
    "feff, \\ufeff",
    "e0041, \\udb40\\udc41",
    "d800, \\ud800"
  })
  void controlCharactersAreEscaped(String code, String shown) {
    String text = "a" + Character.toString(Integer.parseInt(code, 16)) + "b";
    assertThat(Printable.of(text)).isEqualTo("a" + shown + "b");
  }

  @Test
  void everythingElseStays() {
    for (String text : new String[] {"", "Köln 中 😀 \\n 'x' \u00a0"}) {
      assertThat(Printable.of(text)).isSameAs(text);
    }
  }
}
