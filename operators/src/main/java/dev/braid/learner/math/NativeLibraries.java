package dev.braid.learner.math;

import java.util.List;
import java.util.function.Predicate;
import org.bytedeco.javacpp.Loader;

/**
 * Which of ND4J's native libraries fits the machine. There is one for each platform, and for x86-64
 * also ones that need more of the processor; on a processor without that they end the whole process
 * at some instruction, with no word of why.
 */
final class NativeLibraries {

  /**
   * A kind of library.
   *
   * @param extension of the platform's name
   * @param needed what it needs of the processor, by the names that Linux gives it
   */
  private record Kind(String extension, List<String> needed) {}

  /** The best first. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("-avx512", List.of("avx512f", "avx512bw", "avx512dq", "avx512vl")),
          new Kind("-avx2", List.of("avx2", "fma")),
          new Kind("", List.of()));

  private static final String FOLDER = "/org/nd4j/linalg/cpu/nativecpu/bindings/";

  /** Where JavaCPP is told which extension of the platform's name to take. */
  private static final String PROPERTY = "org.bytedeco.javacpp.platform.extension";

  private NativeLibraries() {}

  /**
   * Has JavaCPP take the library that fits best; what the user has set stays. To be called before
   * anything loads one.
   *
   * @throws IllegalStateException if there is none
   */
  static void choose() {
    if (System.getProperty(PROPERTY) == null) {
      String platform = Loader.Detector.getPlatform();
      System.setProperty(
          PROPERTY,
          extension(
              platform,
              library -> NativeLibraries.class.getResource(FOLDER + library) != null,
              features -> !OpenBlasCore.knowsFeatures() || OpenBlasCore.hasAll(features)));
    }
  }

  /**
   * The extension of the library to take.
   *
   * @param hasLibrary whether there is a folder of this name with libraries
   * @param hasFeatures whether the processor has them all
   */
  static String extension(
      String platform, Predicate<String> hasLibrary, Predicate<List<String>> hasFeatures) {
    boolean any = false;
    for (Kind kind : KINDS) {
      if (hasLibrary.test(platform + kind.extension)) {
        if (hasFeatures.test(kind.needed)) {
          return kind.extension;
        }
        any = true;
      }
    }
    throw new IllegalStateException(
        any
            ? "this processor has no AVX2, which this build of Braid needs: build Braid with "
                + "-Dnative.extension="
            : "this build of Braid has no native library for "
                + platform
                + ": build it there, or with -Dnative.platform="
                + platform
                + " -Dnative.extension=");
  }
}
