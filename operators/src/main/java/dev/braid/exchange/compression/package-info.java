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
 * <p><b>Once for each computed gradient</b>, a quantizer ({@link dev.braid.codec}) takes the part
 * to be sent. The rest is kept as the residual, to which the next gradient is added. The exchange
 * is given a vector of the same length, in which all other elements are 0. So the exchange adds up
 * and passes on as usual, in its order. A synchronous exchange ends with the same bits in every
 * run, and what is sent and what is kept add up to what was computed.
 *
 * <p><b>On the wire</b>, each message's values take the shortest lossless form ({@link
 * dev.braid.exchange.message.Payload.Sparse}). A sum of several gradients stays sparse as long as
 * that form is smaller, and is sent as float32 otherwise. Only messages that carry gradients or
 * their sums are packed; weights are sent as they are. Values of 16 bits are the exception: they
 * are rounded on the wire. So a finished sum is also rounded where it is applied, and all ranks
 * apply the same values. Each element is rounded independently. An element that is too large stays
 * as it is, and its message is then float32. So it makes no difference how a sum is divided into
 * messages.
 *
 * <p>Where ranks add up for others whose links are down, or instead of them, only final values are
 * rounded. Partial sums have the same bits regardless of the rank that computes them ({@link
 * dev.braid.exchange.compression.Packing}). An exchange that sends models has these packed. An
 * exchange that sends moves of models has its sums compressed from within ({@link
 * dev.braid.exchange.compression.GradientCompression#ofSums}).
 *
 * <p><b>The residual counts with its round.</b> It changes when the round of its gradient is
 * complete, and not before. A gradient that is rolled back and contributed again has not changed. A
 * checkpoint, which finds no incomplete round, contains the residual to which the next gradient
 * will be added. The residual is saved as a named state. With another number of workers, the sum
 * over all of them is preserved ({@link dev.braid.exchange.state.StateKind.Rescaling#SUM}).
 *
 * <p><b>A gradient that counts in no sum leaves nothing.</b> Where ranks may be left out, a
 * complete round may be set back because no other rank has its sum; the residual is then the
 * previous one. Where a round need not wait for all gradients, the exchange reports whether it had
 * this rank's gradient.
 */
package dev.braid.exchange.compression;
