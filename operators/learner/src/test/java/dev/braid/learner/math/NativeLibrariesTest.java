package dev.braid.learner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NativeLibrariesTest {

  private static String extension(Set<String> libraries, Set<String> features) {
    return NativeLibraries.extension("linux-x86_64", libraries::contains, features::containsAll);
  }

  @Test
  void theBestThatTheProcessorRunsIsTaken() {
    Set<String> both = Set.of("linux-x86_64", "linux-x86_64-avx2");
    assertThat(extension(both, Set.of("avx2", "fma"))).isEqualTo("-avx2");
    assertThat(extension(both, Set.of("sse4_2"))).isEmpty();
    assertThat(extension(Set.of("linux-x86_64"), Set.of("avx2", "fma"))).isEmpty();
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> extension(Set.of("linux-x86_64-avx2"), Set.of("sse4_2")))
        .hasMessage(
            "this processor has no AVX2, which this build of Braid needs: build Braid with"
                + " -Dnative.extension=");
    assertThatThrownBy(() -> extension(Set.of("linux-arm64"), Set.of("avx2", "fma")))
        .hasMessage(
            "this build of Braid has no native library for linux-x86_64: build it there, or with"
                + " -Dnative.platform=linux-x86_64 -Dnative.extension=");
  }

  /** Checks that the library on this class path fits this machine. */
  @Test
  void thisMachineHasOne() {
    assertThatCode(NativeMath::useOneThread).doesNotThrowAnyException();
    assertThat(System.getProperty("org.bytedeco.javacpp.platform.extension")).isNotNull();
  }
}
