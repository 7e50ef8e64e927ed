/**
 * Gradients made smaller before an exchange sends them. Compression is the same for all exchanges,
 * which do not depend on it: the exchange's runner calls {@link
 * dev.braid.exchange.compression.GradientCompression}.
 *
 * <pre>
 *   computed gradient ─▶ GradientCompressor ─▶ contribute ─▶ exchange ─▶ PackingPort ─▶ transport
 *                         │  what is sent,                   adds up          few bytes
 *                         └─ residual: the rest              as usual
 * </pre>
 *
 * <p>The page {@code docs/explanation/compression.md} explains residuals, the forms on the wire,
 * rounding to 16 bits, and what codecs guarantee.
 *
 * <p><b>Once for each computed gradient</b>, a quantizer ({@link dev.braid.codec}) takes the part
 * to be sent. The rest is kept as the residual. The exchange is given a vector of the same length,
 * in which all other elements are 0. So the exchange adds up and passes on as usual, in its order.
 *
 * <p><b>On the wire</b>, each message's values take the shortest lossless form ({@link
 * dev.braid.exchange.message.Payload.Sparse}). Only messages that carry gradients or their sums are
 * packed; weights are sent as they are. Values of 16 bits are rounded on the wire, each element
 * independently, so it makes no difference how a sum is divided into messages. Where ranks add up
 * for others, {@link dev.braid.exchange.compression.Packing} rounds only final values. An exchange
 * that sends models has these packed. An exchange that sends moves of models has its sums
 * compressed from within ({@link dev.braid.exchange.compression.GradientCompression#ofSums}).
 *
 * <p><b>The residual counts with its round.</b> It changes when the round of its gradient is
 * complete, and not before. A checkpoint, which finds no incomplete round, contains the residual to
 * which the next gradient will be added, as a named state. With another number of workers, the sum
 * over all of them is preserved ({@link dev.braid.exchange.state.StateKind.Rescaling#SUM}).
 *
 * <p><b>A gradient that counts in no sum leaves nothing.</b> Where ranks may be left out, a
 * complete round may be set back because no other rank has its sum; the residual is then the
 * previous one. Where a round need not wait for all gradients, the exchange reports whether it had
 * this rank's gradient.
 */
package dev.braid.exchange.compression;
