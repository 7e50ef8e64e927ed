/**
 * Quantization of gradients, and encoding of their values. The code is pure: it uses no clock,
 * thread or random source.
 *
 * <p>Source: Deeplearning4j, "Distributed training: technical explanation" (threshold and bitmap
 * encoding, residuals, residual clipping), after Strom, "Scalable Distributed DNN Training Using
 * Commodity GPU Cloud Computing", Interspeech 2015.
 *
 * <pre>
 *   gradient ──(+)──▶ what is not sent yet ──▶ ThresholdQuantizer, TopK ──▶ SparseValues ──▶ bytes
 *               ▲              │                        ▲                     SparseCodec
 *               └── residual ◀─┘                        │ τ
 *                      ▲                          ThresholdRule
 *               ResidualClipping
 * </pre>
 *
 * <p>A quantizer takes the part of a vector that is sent, and leaves the rest there: the residual,
 * to which the next gradient is added. So what was sent and what is kept add up to what was
 * computed. This holds to the bit where the subtraction is exact: for elements of at most 2τ
 * (Sterbenz). For others it is rounded by half a unit in the last place of the element.
 *
 * <p>{@link dev.braid.codec.SparseCodec} writes sparse values in the shortest of its forms, and
 * {@link dev.braid.codec.HalfPrecision} rounds dense values to 16 bits.
 */
package dev.braid.codec;
