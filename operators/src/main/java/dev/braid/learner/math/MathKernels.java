package dev.braid.learner.math;

import java.util.Locale;

/**
 * What decides the bits of a gradient: the native libraries, and which of their kernels compute.
 *
 * @param library the libraries with their versions
 * @param core the processor core that OpenBLAS takes its kernels for
 * @param product checksum of matrix products, which differs where bits differ
 */
public record MathKernels(String library, String core, int product) {

  /** None: arithmetic in Java, the same everywhere. */
  public static final MathKernels NONE = new MathKernels("", "", 0);

  /**
   * Whether the same model and batch have the same gradient with these. Cores by other names may
   * have the same kernels.
   */
  public boolean haveTheBitsOf(MathKernels other) {
    return library.equals(other.library) && product == other.product;
  }

  /** In one line, for people. */
  public String describe() {
    return equals(NONE)
        ? "arithmetic in Java"
        : String.format(Locale.ROOT, "%s (%s), one thread, product %08x", library, core, product);
  }
}
