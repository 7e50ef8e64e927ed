package dev.braid.learner.math;

import java.util.List;
import java.util.function.Predicate;
import org.bytedeco.javacpp.Loader;

/**
 * The choice of the ND4J native library for this machine. There is one library for each platform,
 * and for x86-64 also libraries that need more processor features. On a processor without these
 * features they crash the process at some instruction, without a message.
 */
final class NativeLibraries {

  /**
   * A kind of library.
   *
   * @param extension suffix of the platform's name
   * @param needed the required processor features, in Linux's names
   */
  private record Kind(String extension, List<String> needed) {}

  /** The kinds of libraries, fastest first. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("-avx512", List.of("avx512f", "avx512bw", "avx512dq", "avx512vl")),
          new Kind("-avx2", List.of("avx2", "fma")),
          new Kind("", List.of()));

  private static final String FOLDER = "/org/nd4j/linalg/cpu/nativecpu/bindings/";

  /** System property by which JavaCPP chooses the extension of the platform's name. */
  private static final String PROPERTY = "org.bytedeco.javacpp.platform.extension";

  private NativeLibraries() {}

  /**
   * Sets the extension of the fastest library that this processor can run, unless the user has set
   * one. Must be called before a library is loaded.
   *
   * @throws IllegalStateException if there is no library for this machine
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
   * Returns the extension of the library to load.
   *
   * @param hasLibrary returns whether a folder of this name with libraries exists
   * @param hasFeatures returns whether the processor has all of these features
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
