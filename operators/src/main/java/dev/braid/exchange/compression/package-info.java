/**
 * Gradients that are made smaller before an exchange sends them, the same for all exchanges: it
 * wraps one ({@link dev.braid.exchange.compression.Compressed}), which knows nothing of it.
 *
 * <pre>
 *   computed gradient ─▶ GradientCompressor ─▶ contribute ─▶ exchange ─▶ PackingPort ─▶ transport
 *                         │  what is sent,                   adds up          few bytes
 *                         └─ residual: the rest              as ever
 * </pre>
 *
 * <p><b>Once for each computed gradient</b> something of it is taken to be sent, as the quantizers
 * of {@link dev.braid.codec} do, and the rest is kept: the residual, to which the next gradient is
 * added. The exchange is given a vector of the same length, in which all else is 0. So it adds up
 * and hands on as ever, in its order: a synchronous one ends with the same bits in every run, and
 * what is sent and what is kept add up to what was computed.
 *
 * <p><b>On the wire</b> values go in the shortest form that loses nothing ({@link
 * dev.braid.exchange.message.Payload.Sparse}), message by message: a sum of several gradients stays
 * sparse as long as that is smaller, and goes as float32 beyond. Only messages that carry gradients
 * or their sums are looked at; weights go as they are. Values of 16 bits are the exception, which
 * are rounded on the wire: so a finished sum is rounded where it is applied as well, and all ranks
 * apply the same. Each element is rounded by itself, or stays as it is where it is too large, and
 * its message is float32 then: so it makes no difference who cuts a sum into which messages.
 *
 * <p>Where ranks add up for others whose links are down, or in their place, only what is final is
 * rounded: partial sums have the same bits whoever makes them ({@link
 * dev.braid.exchange.compression.Packing}). Exchanges that send models have these packed, and one
 * that sends moves of models has its sums compressed from within ({@link
 * dev.braid.exchange.compression.Compressed#sumsOf}).
 *
 * <p><b>The residual counts with its round.</b> It changes when the round of its gradient is
 * complete, and not before: a gradient that is rolled back and contributed again is what it was,
 * and a checkpoint, which finds no round half done, has the residual that the next gradient is to
 * be added to. It lasts as a state by name of which the sum over all workers is kept at another
 * number of them ({@link dev.braid.exchange.state.StateKind.Rescaling#SUM}).
 *
 * <p><b>A gradient that counts in no sum leaves nothing.</b> Where ranks may be left out, a round
 * that is complete may be set back as no other rank has its sum: the residual is that of before
 * then. Where a round need not wait for all, the exchange says whether it had the rank's gradient.
 */
package dev.braid.exchange.compression;
