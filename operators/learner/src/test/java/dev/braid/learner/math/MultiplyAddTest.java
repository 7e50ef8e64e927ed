package dev.braid.learner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class MultiplyAddTest {

  @Property
  void isRoundedOnceOrTwice(@ForAll float a, @ForAll float b, @ForAll float c) {
    float expected = MultiplyAdd.isFused() ? Math.fma(a, b, c) : a * b + c;

    assertThat(MultiplyAdd.of(a, b, c)).isEqualTo(expected);
  }

  /** The checksum of the kernels distinguishes the two by these numbers. */
  @Example
  void roundingOnceShows() {
    assertThat(Math.fma(1.1f, 1.1f, -1.2f)).isNotEqualTo(1.1f * 1.1f + -1.2f);
  }

  @Example
  void isFusedWhereTheProcessorHasIt() {
    assumeTrue(OpenBlasCore.hasAll(List.of("avx2", "fma")), "a processor with AVX2");

    assertThat(MultiplyAdd.isFused()).isTrue();
  }
}
