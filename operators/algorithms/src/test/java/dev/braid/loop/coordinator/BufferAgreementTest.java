package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferAgreementTest {

  @Test
  void isTheSmallestOfAllOnceAllHaveTold() {
    BufferAgreement agreement = new BufferAgreement(3);
    assertThat(agreement.add(2, 262_144)).isEmpty();
    assertThat(agreement.add(0, 32_768)).isEmpty();
    assertThat(agreement.add(0, 32_768)).as("the same member").isEmpty();
    assertThat(agreement.isReached()).isFalse();

    assertThat(agreement.add(1, 65_536)).hasValue(32_768);
    assertThat(agreement.isReached()).isTrue();
    assertThat(agreement.difference())
        .hasValue(
            "workers have network buffers of different sizes, [32768, 65536, 262144] bytes:"
                + " messages are limited to 32768");
  }

  @Test
  void equalSizesAreNoNews() {
    BufferAgreement agreement = new BufferAgreement(2);
    assertThat(agreement.add(0, 32_768)).isEmpty();
    assertThat(agreement.add(1, 32_768)).hasValue(32_768);
    assertThat(agreement.difference()).isEmpty();
  }
}
