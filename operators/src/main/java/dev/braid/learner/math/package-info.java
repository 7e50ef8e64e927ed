/**
 * The native math library of a process: which one is loaded, on how many threads it computes, with
 * which kernels, and how vectors go in and out of its memory.
 *
 * <p>Two runs have the same weights, bit for bit, only where all their sums are in the same order.
 * A matrix product is a sum of many numbers, and OpenBLAS adds them as it suits the processor that
 * it finds itself on: as wide as its vectors, in blocks of the size of its caches. So what decides
 * the bits has to be chosen before the library is loaded, and written down with a run's results.
 *
 * <pre>
 *   MathChoice        --math: portable or fastest, once a process
 *        │ before it is loaded
 *        ▼
 *   OpenBlasCore      the kernels' names, in the environment
 *   NativeLibraries   the build that this processor can run
 *        ▼
 *   NativeMath        loaded, one thread ──▶ MathKernels: what decides the bits
 *   ProductCheck      whether products are right, of kernels made for another processor:
 *                     a MatrixProduct next to its sums in double
 * </pre>
 *
 * <p>{@link dev.braid.learner.math.NativeVectors} copies vectors at memory speed, and {@link
 * dev.braid.learner.math.NativeWorkspace} has operations recycle their temporary arrays. {@code
 * NativeGarbage} delays the freeing of unreachable arrays, which ND4J would free while native code
 * still reads them.
 */
package dev.braid.learner.math;
