/**
 * Products of dense matrices.
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
 * <p>The first two compute the same bits, so a product may switch from one to the other at any
 * time. The third computes other bits: the layers that it computes are fixed when a process starts,
 * and are part of its {@link dev.braid.learner.math.MathKernels}.
 *
 * <p>Scoring multiplies by weights that never change. {@code vector.FixedVectorMultiplier} arranges
 * them once, and computes a single row in one pass over them. {@code LoopMultiplier} computes the
 * same bits, and {@code BlasMultiplier} copies the weights once.
 *
 * <p>Braid has its own multiplication instead of a library's because of the bits. OpenBLAS computes
 * other bits for each length of vectors, so that equal bits everywhere would cost half of the speed
 * of a processor with AVX-512. Braid's multiplication is as fast as OpenBLAS with the same vectors.
 */
package dev.braid.learner.matrix;
