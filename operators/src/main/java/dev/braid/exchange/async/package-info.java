/**
 * Exchanges in which every rank goes its own pace: its own gradient changes its model at once, and
 * what others send when it comes.
 *
 * <ul>
 *   <li>{@link dev.braid.exchange.async.Ako}: partial gradient exchange (Ako §3, Algorithm 1)
 *   <li>{@link dev.braid.exchange.async.AllToAll}: the full gradient to every peer
 *   <li>{@link dev.braid.exchange.async.GossipGrad}: models, whose mean is taken with one partner
 *       after the other
 * </ul>
 *
 * <h2>Where to read what, of {@code Ako}</h2>
 *
 * <table border="1">
 * <caption>question and file</caption>
 * <tr><th>question</th><th>file</th></tr>
 * <tr><td>how a gradient is cut, and which peer gets which part when</td>
 * <td>{@link dev.braid.exchange.async.Ako}</td></tr>
 * <tr><td>when a rank waits; who is absent, and is back</td><td>{@code AsynchronousExchange}, the
 * frame of all three</td></tr>
 * <tr><td>what each peer has not been sent yet</td><td>{@code Accumulators}</td></tr>
 * <tr><td>how p is chosen</td><td>{@code PartitionPlan}</td></tr>
 * <tr><td>a checkpoint</td><td>{@link dev.braid.exchange.Asynchronous}</td></tr>
 * </table>
 *
 * <p>What these stand on need not be read first: {@code GradientRate} and {@code OutgoingBandwidth}
 * measure for the plan, of which the latter is the least of what the network carries and of what a
 * tenth of the processor's time can send; {@code DeferredSteps} spreads what a flush has sent all
 * at once over the rounds in which it would have come; an {@link
 * dev.braid.exchange.transport.Outbox} bounds what is under way on each link; {@link
 * dev.braid.exchange.membership.StalenessClocks} count how far each rank is. {@code
 * MissedGradients} are what {@code AllToAll} keeps for a peer in the place of {@code Accumulators}.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>No other way is looked for.</b> What is under way is sent again, in order, when the link
 *       works; the transport that sees to that is around each of these exchanges ({@code
 *       registry}). Up to then the peer's part of a turn waits, and so, after that turn, does the
 *       rank.
 *   <li><b>A peer that has not answered for a second</b> and more is absent: to this rank. Each
 *       rank decides that for itself, in a {@link dev.braid.exchange.membership.RollCall}: where
 *       the link from A to B is cut, A and B are absent to each other, and both go on with all
 *       others. A rank that hears no majority is told of nobody: it waits, at its staleness bound
 *       or for a link that takes nothing, so that no rank trains alone.
 *   <li><b>What an absent peer misses is kept</b> for it: in an accumulator of its own, or in
 *       {@code MissedGradients}. Not in gossip, where the next model makes up for those before, nor
 *       in {@code Ako} without accumulation, which never sends what is not sent in its round.
 *   <li><b>When it is back</b>, {@code CatchUp} sends it that, chunk by chunk, before any other
 *       gradient and whether or not this rank computes. It applies each chunk as it comes, and
 *       computes no gradient until all that are sending it chunks have sent their last. Nobody
 *       waits for its clock, which is far behind: what it is behind the slowest is forgiven.
 *   <li><b>A checkpoint is declined</b> while something that a rank has sent, or keeps, for an
 *       absent peer has not arrived: it cannot be flushed.
 * </ol>
 *
 * <p>How each is called on the command line, and with which options, its descriptor says: {@link
 * dev.braid.exchange.async.AkoDescriptor} (as values: {@link dev.braid.exchange.async.AkoOptions}),
 * {@link dev.braid.exchange.async.AllToAllDescriptor} and {@link
 * dev.braid.exchange.async.GossipDescriptor}. Who is silent, absent or cut off is defined in {@link
 * dev.braid.exchange.membership}.
 */
package dev.braid.exchange.async;
