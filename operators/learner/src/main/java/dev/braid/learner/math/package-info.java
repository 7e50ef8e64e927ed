/**
 * The native math library of a process: which library is loaded, its number of threads, its
 * kernels, and copies between its memory and Java's.
 *
 * <p>Two runs have the same weights, bit for bit, only if all their sums are in the same order. A
 * matrix product consists of sums of many numbers, and OpenBLAS chooses their order for the
 * processor that it runs on: the width of its vectors, the size of its caches. Whatever decides the
 * bits must therefore be chosen before the library is loaded, and recorded with a run's results.
 *
 * <pre>
 *   MathChoice        --math: portable or fastest, once a process
 *        │ before it is loaded
 *        ▼
 *   OpenBlasCore      the kernels' names, in the environment
 *   NativeLibraries   the build that this processor can run
 *        ▼
 *   NativeMath        loaded, one thread ──▶ MathKernels: what decides the bits
 *   ProductCheck      whether kernels for another processor compute right products:
 *                     a MatrixProduct next to its sums in double
 * </pre>
 *
 * <p>{@link dev.braid.learner.math.NativeVectors} copies vectors at memory speed, and {@link
 * dev.braid.learner.math.NativeWorkspace} recycles the temporary arrays of operations. {@code
 * NativeGarbage} delays the freeing of unreachable arrays, which ND4J would free while native code
 * still reads them.
 */
package dev.braid.learner.math;
