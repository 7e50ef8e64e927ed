/**
 * Products of matrices whose elements all count.
 *
 * <pre>
 *                         MatrixMultipliers
 *           ┌─────────────────────┼──────────────────────┐
 *    LoopMultiplier      vector.VectorMultiplier   BlasMultiplier
 *    until the next      in panels and tiles;      OpenBLAS, with copies in native
 *    one is compiled     with AVX2 or AVX-512      memory: narrow layers, and where
 *                                                  a JVM has no vectors
 * </pre>
 *
 * <p>The first two have the same bits, so it does not matter which of them computes, and when. The
 * third has others: which layers it computes is certain from a process's start on, and {@link
 * dev.braid.learner.math.MathKernels} tells.
 *
 * <p>Scoring multiplies by weights that never change. {@code vector.FixedVectorMultiplier} lays
 * them out once, and computes a single row in one pass over them; {@code LoopMultiplier} has its
 * bits, too, and {@code BlasMultiplier} copies the weights once.
 *
 * <p>A multiplication of Braid's own, in the place of a library's, for its bits: OpenBLAS has other
 * ones for each length of vectors, so that the same ones everywhere cost half of the speed of a
 * processor with AVX-512. It is as fast as OpenBLAS is with the same vectors.
 */
package dev.braid.learner.matrix;
