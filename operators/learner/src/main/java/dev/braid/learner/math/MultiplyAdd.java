package dev.braid.learner.math;

import java.util.List;

/**
 * {@code a·b + c} as one instruction, where the processor has it: half as many instructions as a
 * product and a sum, with one rounding instead of two.
 *
 * <p>All x86-64 processors with AVX2 have this instruction, and all Arm processors. Without it,
 * {@link Math#fma} is correct, but a thousand times slower, because it computes with {@code
 * BigDecimal}. In that case this class rounds the product, and then the sum, which results in other
 * bits; {@link NativeMath#kernels()} shows the difference.
 */
public final class MultiplyAdd {

  private static final boolean FUSED =
      JvmOption.value("UseFMA").map(Boolean::parseBoolean).orElseGet(MultiplyAdd::hasProcessor);

  private MultiplyAdd() {}

  /** Returns whether the processor has the instruction, for JVMs whose options are not known. */
  private static boolean hasProcessor() {
    return System.getProperty("os.arch").equals("aarch64") || OpenBlasCore.hasAll(List.of("fma"));
  }

  /** Returns whether {@link #of} is one instruction, and therefore rounds once. */
  public static boolean isFused() {
    return FUSED;
  }

  /** Returns {@code a·b + c}. */
  public static float of(float a, float b, float c) {
    return FUSED ? Math.fma(a, b, c) : a * b + c;
  }
}
