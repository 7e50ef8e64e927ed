package dev.braid.exchange.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests messages of 64 KiB that take 640 bytes in a short form, and 100 µs to write and read. */
class PackingChoiceTest {

  private static final long PLAIN = 1 << 16;
  private static final long SENT = 640;
  private static final OptionalDouble SLOW = OptionalDouble.of(2.5e6);
  private static final OptionalDouble FAST = OptionalDouble.of(2e9);

  private final PackingChoice choice = new PackingChoice();

  /** Sends messages, and returns how many of them were short. */
  private int send(int messages, OptionalDouble rate) {
    int packed = 0;
    for (int i = 0; i < messages; i++) {
      if (choice.pays(rate)) {
        choice.packed(PLAIN, SENT, 50_000);
        choice.unpacked(PLAIN, 50_000);
        packed++;
      } else {
        choice.sentPlain(PLAIN);
      }
    }
    return packed;
  }

  @Test
  void beginsWithPlainValuesUntilItIsKnownHowFastLinksAre() {
    int first = (int) (PackingChoice.FIRST_BYTES / PLAIN);
    assertThat(send(first, OptionalDouble.empty())).isZero();
    assertThat(send(10, OptionalDouble.empty())).as("never told").isEqualTo(10);
  }

  @Test
  void onSlowLinksAllIsShort() {
    send(3, OptionalDouble.empty());
    assertThat(send(100, SLOW)).isEqualTo(100);
  }

  @Test
  void onLinksThatAreFasterThanTheCodecOneInManyIsShort() {
    send(3, OptionalDouble.empty());
    assertThat(send(50 * PackingChoice.TRIED, FAST)).isBetween(49, 55);
  }

  @Test
  void followsLinksThatBecomeSlowOrFast() {
    send(1_000, FAST);
    assertThat(send(100, SLOW)).isEqualTo(100);
    assertThat(send(100, FAST)).isLessThan(5);
  }

  /** A form that is no shorter saves nothing. */
  @Test
  void whatSavesNothingIsNotUsedOnAnyLink() {
    int packed = 0;
    for (int i = 0; i < 10 * PackingChoice.TRIED; i++) {
      if (choice.pays(SLOW)) {
        choice.packed(PLAIN, PLAIN, 50_000);
        packed++;
      } else {
        choice.sentPlain(PLAIN);
      }
    }
    assertThat(packed).isBetween(9, 12);
  }
}
