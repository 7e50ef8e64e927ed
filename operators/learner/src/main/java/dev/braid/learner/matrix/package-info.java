/**
 * Products of dense matrices.
 *
 * <pre>
 *                          MatrixMultipliers
 *                     ┌────────────┴─────────────┐
 *            training, and scoring            scoring
 *            without vectors             ┌───────┴────────┐
 *            BlasMultiplier       LoopMultiplier   simd.VectorMultiplier
 *            OpenBLAS, with       until the next   in panels and tiles;
 *            copies in native     one is compiled  with AVX2 or AVX-512
 *            memory
 * </pre>
 *
 * <p>{@code VectorMultiplier} arranges weights that never change once, and computes a single row in
 * one pass over them. {@code LoopMultiplier} computes the same bits, so a product may switch from
 * one to the other at any time. {@code BlasMultiplier} computes other bits, and copies such weights
 * once.
 */
package dev.braid.learner.matrix;
