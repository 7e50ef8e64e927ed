package dev.braid.learner.math;

import java.util.Locale;
import java.util.Optional;

/**
 * Which of its kernels OpenBLAS computes with in a process. It reads that when it is loaded, so a
 * process keeps to what was asked for first.
 */
public enum MathChoice {
  /** Those of one processor, which all with AVX2 can run: the same bits on every machine. */
  PORTABLE,
  /** With AVX-512, those that use it: with other bits, and up to twice as fast. */
  FASTEST;

  /** What is asked for first; of the process, as the library is. */
  private static final String PROPERTY = "braid.math";

  /** Made when the library is about to be loaded. */
  private static final class Decided {
    static final MathChoice CHOICE =
        FASTEST.title().equals(System.getProperty(PROPERTY)) ? FASTEST : PORTABLE;
  }

  /** The core whose kernels the environment has OpenBLAS take, whatever is asked for. */
  public static Optional<String> coreOfEnvironment() {
    return OpenBlasCore.ofUser();
  }

  /** The name on the command line. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether OpenBLAS is asked for kernels with AVX-512, and has some that this processor can run.
   */
  public static boolean isWithAvx512() {
    return ofProcess() == FASTEST && OpenBlasCore.hasLongVectors();
  }

  /** What this process keeps to. */
  static MathChoice ofProcess() {
    return Decided.CHOICE;
  }

  /**
   * Has this process compute so. To be called before anything else loads the library.
   *
   * @throws IllegalStateException if the process keeps to another choice, or if what it would
   *     compute is wrong
   */
  public void require() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, title());
    }
    if (ofProcess() != this) {
      throw new IllegalStateException(
          ("--math %s: this process has already loaded the kernels of --math %s: use "
                  + "that, or start a new process")
              .formatted(title(), ofProcess().title()));
    }
    if (this == FASTEST && !ProductCheck.isRight()) {
      throw new IllegalStateException(
          "--math fastest: OpenBLAS computes wrong products with the kernels for this "
              + "processor ("
              + NativeMath.describe()
              + "): remove --math");
    }
  }
}
