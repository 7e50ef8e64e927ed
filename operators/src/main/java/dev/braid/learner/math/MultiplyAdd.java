package dev.braid.learner.math;

import java.util.List;

/**
 * {@code a·b + c}, as one instruction where the processor has it: half as many as a product and a
 * sum, and rounded once.
 *
 * <p>All x86-64 processors with AVX2 have it, and all of Arm. Where a JVM has it not, {@link
 * Math#fma} is right, and computes in big decimals, a thousand times slower. There a product is
 * rounded, and then the sum, and bits are others; {@link NativeMath#kernels()} tells.
 */
public final class MultiplyAdd {

  private static final boolean FUSED =
      JvmOption.value("UseFMA").map(Boolean::parseBoolean).orElseGet(MultiplyAdd::hasProcessor);

  private MultiplyAdd() {}

  /** What a JVM uses that does not tell. */
  private static boolean hasProcessor() {
    return System.getProperty("os.arch").equals("aarch64") || OpenBlasCore.hasAll(List.of("fma"));
  }

  /** Whether it is one instruction, and so rounded once. */
  public static boolean isFused() {
    return FUSED;
  }

  /** {@code a·b + c}. */
  public static float of(float a, float b, float c) {
    return FUSED ? Math.fma(a, b, c) : a * b + c;
  }
}
