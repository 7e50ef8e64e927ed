/**
 * Exchanges in which every rank goes its own pace: it applies its own gradient at once, and those
 * of others as they come. {@code AsynchronousExchange} is their frame: clocks, a bound on
 * staleness, and an outbox that bounds what is under way.
 *
 * <p>What a rank that is absent misses, each of the others keeps for it (but in gossip, where the
 * next model makes up for those before). When it is back, {@code CatchUp} sends it that, chunk by
 * chunk, before anything else and whether or not its sender computes. It applies each chunk as it
 * comes, and computes no gradient until all that are sending it chunks have sent their last.
 *
 * <ul>
 *   <li>{@link dev.braid.exchange.async.AllToAll}: the full gradient to every peer; what a peer
 *       that cannot be reached has missed is added up in {@code MissedGradients}.
 *   <li>{@link dev.braid.exchange.async.Ako}: partial gradient exchange (Ako §3, Algorithm 1). The
 *       gradient is cut into p partitions, of which each peer gets one a round; {@code
 *       Accumulators} add up what waits for whom, in an {@code Accumulator} for each group of peers
 *       that are sent the same; {@code PartitionPlan} chooses p from the measured rate of gradients
 *       ({@code GradientRate}) and bandwidth ({@code OutgoingBandwidth}); {@code DeferredSteps}
 *       spreads what comes all at once over the rounds in which it would have come.
 *   <li>{@link dev.braid.exchange.async.GossipGrad}: the mean with one partner after the other.
 * </ul>
 *
 * <p>What a checkpoint asks of them, and what becomes of it while a rank cannot be reached, is told
 * at {@link dev.braid.exchange.Asynchronous}. Here a flush sends what waits in the outbox and in
 * accumulators; a rank is quiet when all of it is acknowledged; and a peer is unreachable while it
 * is absent and lacks something.
 *
 * <p>How each is called on the command line, and with which options, its descriptor says: {@link
 * dev.braid.exchange.async.AkoDescriptor} (as values: {@link dev.braid.exchange.async.AkoOptions}),
 * {@link dev.braid.exchange.async.AllToAllDescriptor} and {@link
 * dev.braid.exchange.async.GossipDescriptor}.
 */
package dev.braid.exchange.async;
