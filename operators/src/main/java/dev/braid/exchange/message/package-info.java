/**
 * What ranks say to each other. A {@link dev.braid.exchange.message.Message} is a header (who, to
 * whom, in which round, by which way) and a {@link dev.braid.exchange.message.Body}: a record for
 * each thing that is said, in families by who says it.
 *
 * <pre>
 *   Body ─┬─ Sum              reductions: partial, finished
 *         ├─ TreeNotice       the fault-tolerant tree's metadata
 *         ├─ LinkControl      transports: acknowledgements, probes, searches
 *         ├─ Presence         who hears whom
 *         ├─ ReplicaCopyBody  a copy of the model for a rank that is behind
 *         ├─ Share            gradients, weights and plans of ranks at their own pace
 *         ├─ Pull             workers and asynchronous parameter servers
 *         ├─ Sharing          gradients that ranks relay, and how far ranks have come with them
 *         └─ TreeChoice       another tree, by what ranks measure
 * </pre>
 *
 * <p>Values travel as a {@link dev.braid.exchange.message.Payload}, which knows what it takes on
 * the wire and adds itself to a vector. {@link dev.braid.exchange.message.BodyForm} is the one
 * place that knows the form of bodies on the wire; what is not known, or does not fit, is refused
 * there.
 */
package dev.braid.exchange.message;
