/**
 * Products with matrices of mostly zeros, which use only the elements that are not 0.
 *
 * <pre>
 *                     SparseProducts
 *        ┌──────────────────┴──────────────────┐
 *   LoopProduct                        vector.VectorProduct
 *   everywhere, and until the          on processors with AVX-512,
 *   other is compiled                  where it is faster
 * </pre>
 *
 * <p>Both compute the same bits, so a product may switch from one to the other at any time.
 */
package dev.braid.learner.sparse;
