package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypoTest {

  private static final List<String> NAMES = List.of("--batch", "--epochs", "--exchange", "train");

  @Test
  void theNearestNameIsMeant() {
    assertThat(Typo.nearest("--epoch", NAMES)).hasValue("--epochs");
    assertThat(Typo.nearest("--exchnage", NAMES)).hasValue("--exchange");
    assertThat(Typo.nearest("trian", NAMES)).hasValue("train");
    assertThat(Typo.nearest("tr", NAMES)).isEmpty();
    assertThat(Typo.nearest("--lr", NAMES)).isEmpty();
    assertThat(Typo.nearest("--colour", NAMES)).isEmpty();
  }

  @Test
  void anOptionMayHaveAWordMoreOrLess() {
    assertThat(Typo.nearest("--chaos-topic", List.of("--topic", "--to"))).hasValue("--topic");
    assertThat(Typo.nearest("--size", List.of("--image-size", "--batch"))).hasValue("--image-size");
    assertThat(Typo.nearest("--ic", List.of("--topic"))).isEmpty();
  }

  @Test
  void capitalsAreNoChange() {
    assertThat(Typo.nearest("FP16", List.of("bf16", "fp16"))).hasValue("fp16");
    assertThat(Typo.question("MLP", List.of("cnn", "mlp"))).isEqualTo("; did you mean mlp?");
  }

  @Test
  void oneOfTheNamesIsAskedForNothing() {
    assertThat(Typo.question("train", NAMES)).isEmpty();
  }

  @Test
  void distanceCountsLetters() {
    assertThat(Typo.distance("", "abc")).isEqualTo(3);
    assertThat(Typo.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Typo.distance("abc", "abc")).isZero();
    assertThat(Typo.distance("mpl", "mlp")).as("two that have changed places").isEqualTo(1);
    assertThat(Typo.distance("ca", "abc")).isEqualTo(3);
  }
}
