/**
 * Products with matrices most of whose elements are 0: with what is not 0 alone.
 *
 * <pre>
 *                     SparseProducts
 *        ┌──────────────────┴──────────────────┐
 *   LoopProduct                        vector.VectorProduct
 *   everywhere, and until the          on processors with AVX-512,
 *   other is compiled                  where it is faster
 * </pre>
 *
 * <p>Both have the same bits, so it does not matter which of them computes, and when.
 */
package dev.braid.learner.sparse;
