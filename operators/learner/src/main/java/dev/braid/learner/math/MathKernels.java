package dev.braid.learner.math;

import java.util.Locale;

/**
 * Everything that decides the bits of a gradient: the native libraries, and the kernels that they
 * use.
 *
 * @param library the libraries with their versions
 * @param core the processor core whose kernels OpenBLAS uses
 * @param product checksum of matrix products, which differs if bits differ
 */
public record MathKernels(String library, String core, int product) {

  /** No native kernels: arithmetic in Java, with the same bits everywhere. */
  public static final MathKernels NONE = new MathKernels("", "", 0);

  /**
   * Returns whether gradients of the same model and batch have the same bits with both. Cores of
   * different names may have the same kernels.
   */
  public boolean haveTheBitsOf(MathKernels other) {
    return library.equals(other.library) && product == other.product;
  }

  /** Returns a one-line description for people. */
  public String describe() {
    return equals(NONE)
        ? "arithmetic in Java"
        : String.format(Locale.ROOT, "%s (%s), one thread, product %08x", library, core, product);
  }
}
