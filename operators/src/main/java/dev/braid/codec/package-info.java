/**
 * How the values of a gradient are made smaller, and how they are written: pure, without a clock, a
 * thread or a random source.
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
 * <p>A quantizer takes from a vector what is sent, and leaves the rest there: the residual, to
 * which the next gradient is added. So what was sent and what is kept add up to what was computed.
 * That holds to the bit where the subtraction does: it is exact for elements of at most 2τ
 * (Sterbenz), and rounded by half a unit in the last place of the element otherwise.
 *
 * <p>Sparse values of several ranks add up to sparse values; {@link dev.braid.codec.SparseCodec}
 * writes each in the shortest of its forms, and {@link dev.braid.codec.HalfPrecision} rounds dense
 * ones to 16 bits.
 */
package dev.braid.codec;
