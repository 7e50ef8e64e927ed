package dev.braid.learner.math;

import java.util.Locale;
import java.util.Optional;

/**
 * The kernels with which OpenBLAS computes in a process. OpenBLAS reads this setting when it is
 * loaded, so a process keeps its first choice.
 */
public enum MathChoice {
  /**
   * Kernels for one processor core, which run on every processor with AVX2: the same bits on every
   * machine.
   */
  PORTABLE,
  /** Kernels that use AVX-512, on processors that have it: up to twice as fast, with other bits. */
  FASTEST;

  /**
   * System property that holds the first choice; like the native library, it belongs to the
   * process, not to a job's class loader.
   */
  private static final String PROPERTY = "braid.math";

  /** Holder of the process's choice, initialised when the library is about to be loaded. */
  private static final class Decided {
    static final MathChoice CHOICE =
        FASTEST.title().equals(System.getProperty(PROPERTY)) ? FASTEST : PORTABLE;
  }

  /** Returns the core that the user's environment sets for OpenBLAS; it overrides any choice. */
  public static Optional<String> coreOfEnvironment() {
    return OpenBlasCore.ofUser();
  }

  /** Returns the name on the command line. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether OpenBLAS is configured for AVX-512 kernels, and this processor can run them.
   */
  public static boolean isWithAvx512() {
    return ofProcess() == FASTEST && OpenBlasCore.hasLongVectors();
  }

  /** Returns the choice that this process keeps. */
  static MathChoice ofProcess() {
    return Decided.CHOICE;
  }

  /**
   * Makes this process compute with this choice. Must be called before anything else loads the
   * library.
   *
   * @throws IllegalStateException if the process keeps another choice, or if its matrix products
   *     are wrong
   */
  public void require() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, title());
    }
    if (ofProcess() != this) {
      throw new IllegalStateException(
          ("`math` %s: this process has already loaded the kernels of `math` %s: use "
                  + "that, or start a new process")
              .formatted(title(), ofProcess().title()));
    }
    if (this == FASTEST && !ProductCheck.isRight()) {
      throw new IllegalStateException(
          "`math` fastest: OpenBLAS computes wrong products with the kernels for this "
              + "processor ("
              + NativeMath.describe()
              + "): remove `math`");
    }
  }
}
