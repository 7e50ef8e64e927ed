package dev.braid.exchange.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.option.Compression.Form;
import dev.braid.exchange.option.Compression.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {

  @Test
  void isReadAsItIsTyped() {
    assertThat(Compression.of("none")).isEqualTo(Compression.NONE);
    assertThat(Compression.of("bf16")).isEqualTo(new Compression.HalfBits(HalfPrecision.BFLOAT16));
    assertThat(Compression.of("fp16")).isEqualTo(new Compression.HalfBits(HalfPrecision.FLOAT16));
    assertThat(Compression.of("int4")).isEqualTo(new Compression.Levels());
    assertThat(Compression.of("top-k:0.02")).isEqualTo(new Compression.Largest(0.02));
    assertThat(Compression.of("threshold:0.001"))
        .isEqualTo(new Compression.Threshold(Form.SIGNS, new Rule.OfMean(0.001f)));
    assertThat(Compression.of("bitmap:2.5%"))
        .isEqualTo(new Compression.Threshold(Form.BITMAP, new Rule.OfShare(0.025)));
    assertThat(Compression.of("auto:adaptive"))
        .isEqualTo(new Compression.Threshold(Form.SIGNS_IF_IT_PAYS, new Rule.Adapting()));
  }

  /** The text is the one in a run's JSON. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "bf16",
        "fp16",
        "threshold",
        "threshold:0.1%",
        "threshold:3.0E-5",
        "threshold:adaptive",
        "threshold:warm",
        "threshold:1.1%",
        "threshold:0.00000001%",
        "bitmap:20%",
        "auto",
        "dgc",
        "dgc:0.05%",
        "top-k:0.001",
        "int4",
        "top-k"
      })
  void whatIsShownCouldBeTyped(String text) {
    Compression compression = Compression.of(text);
    assertThat(Compression.of(compression.toString())).isEqualTo(compression);
    if (text.contains(":")) {
      assertThat(compression).hasToString(text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "threshold:0, a threshold above 0",
    "threshold:-1, a threshold above 0",
    "threshold:NaN, a threshold such as 0.001",
    "threshold:1e38, 'a threshold above 0, at most 1e20'",
    "bitmap:1e21, 'a threshold above 0, at most 1e20'",
    "threshold:much, 'must be a threshold such as 0.001, a share such as 1%, adaptive, or warm'",
    "threshold:0%, a share above 0",
    "threshold:, a threshold such as 0.001",
    "threshold:%, must be a share such as 0.01 or 1%",
    "threshold:0.01f, a threshold such as 0.001",
    "top-k:, must be a share such as 0.01 or 1%",
    "top-k:0x1p-3, must be a share such as 0.01 or 1%",
    "top-k:1e999999999, 'a share above 0, at most 1'",
    "top-k:1e-999999999, a share above 0",
    "top-k:2, 'a share above 0, at most 1'",
    "top-k:101%, 'a share above 0, at most 1'",
    "dgc:0, a share above 0",
    "dgc:adaptive, a share such as 0.01",
    "bf16:3, bf16 takes",
    "bf16:, bf16 takes",
    "fp16:1, fp16 takes",
    "none:1, none takes",
  })
  void whatIsWrongSaysWhatIsNeeded(String text, String message) {
    assertThatThrownBy(() -> Compression.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void otherCodecsAreUnknownWords() {
    assertThatThrownBy(() -> Compression.of("gzip"))
        .isInstanceOf(UnknownWordException.class)
        .hasMessageContainingAll("gzip", "none", "threshold", "top-k:SHARE", "fp16");
  }
}
