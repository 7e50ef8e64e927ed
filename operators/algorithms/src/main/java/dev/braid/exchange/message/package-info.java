/**
 * The messages between ranks. A {@link dev.braid.exchange.message.Message} consists of its sender
 * and receiver, its round, the fields of its transport ({@link
 * dev.braid.exchange.message.Transit}), and a {@link dev.braid.exchange.message.Body}. There is one
 * record for each kind of body, in families by sender.
 *
 * <pre>
 *   Body ─┬─ Sum              reductions: partial, finished
 *         ├─ TreeNotice       the fault-tolerant tree's metadata
 *         ├─ LinkControl      transports: acknowledgements, probes, searches
 *         ├─ Presence         which ranks hear each other
 *         ├─ ReplicaCopyBody  a copy of the model for a rank that is behind
 *         ├─ Share            gradients, weights and partitions of asynchronous ranks
 *         ├─ Pull             workers and asynchronous parameter servers
 *         ├─ Sharing          relayed gradients, and how many of them ranks have
 *         ├─ Coded            answers, sums and entered rounds of coded exchanges
 *         └─ TreeChoice       changes of their tree, by measured times
 * </pre>
 *
 * <p>Values travel as a {@link dev.braid.exchange.message.Payload}, which knows its size on the
 * wire and adds its values to a vector. A body declares its code on the wire, and how its numbers
 * are written and read. {@link dev.braid.exchange.message.Body.BodyForm} lists the kinds of bodies,
 * and rejects unknown codes, numbers that are out of range, and missing values.
 */
package dev.braid.exchange.message;
