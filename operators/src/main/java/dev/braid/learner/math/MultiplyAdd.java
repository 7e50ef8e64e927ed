package dev.braid.learner.math;

/**
 * {@code a·b + c}, as one instruction where the processor has it: half as many as a product and a
 * sum, and rounded once.
 *
 * <p>All x86-64 processors with AVX2 have it, and all of Arm. Where a JVM has it not, {@link
 * Math#fma} is right, and computes in big decimals, a thousand times slower. There a product is
 * rounded, and then the sum, and bits are others; {@link NativeMath#kernels()} tells.
 */
public final class MultiplyAdd {

  private static final boolean FUSED = JvmOption.is("UseFMA", "true");

  private MultiplyAdd() {}

  /** Whether it is one instruction, and so rounded once. */
  public static boolean isFused() {
    return FUSED;
  }

  /** {@code a·b + c}. */
  public static float of(float a, float b, float c) {
    return FUSED ? Math.fma(a, b, c) : a * b + c;
  }
}
