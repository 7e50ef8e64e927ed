/**
 * Exchanges in which every rank goes its own pace. A rank's own gradient changes its model at once,
 * and what other ranks send changes it on arrival.
 *
 * <p>A round is one gradient of one rank, complete as soon as it is contributed. In {@code Ako} and
 * {@code AllToAll} every step, with own gradients or others', is divided by the number of ranks
 * times the batch; absent ranks are counted. In {@code GossipGrad} a step is divided by the
 * gradient's own samples, and models from other ranks are averaged.
 *
 * <ul>
 *   <li>{@link dev.braid.exchange.async.Ako}: partial gradient exchange (Ako §3, Algorithm 1)
 *   <li>{@link dev.braid.exchange.async.AllToAll}: the full gradient to every peer
 *   <li>{@link dev.braid.exchange.async.GossipGrad}: models, averaged with one partner after
 *       another
 * </ul>
 *
 * <p>The page {@code docs/explanation/asynchronous-exchanges.md} explains what the exchanges do for
 * learning rate, momentum, unreachable ranks and checkpoints.
 *
 * <h2>Classes</h2>
 *
 * <ul>
 *   <li>{@code Ako}: division of a gradient into p partitions, and which peer is sent which of them
 *       when; {@code Accumulators}: what each peer has not been sent yet; {@code PartitionPlan}:
 *       the choice of p, from {@code GradientRate} and {@code OutgoingBandwidth}
 *   <li>{@code AsynchronousExchange}, the common part of all three: when a rank waits; what it does
 *       when a peer is absent, and when it is back ({@code MissedGradients} in {@code AllToAll})
 *   <li>{@code DeferredSteps}: spreads the sums that a flush has delivered all at once over the
 *       rounds in which they would have arrived
 *   <li>{@link dev.braid.exchange.transport.Outbox}: limits the messages in flight on each link to
 *       four, or more where four hold others up and answers arrive within a tenth of a second; the
 *       transport keeps copies of them until they have arrived
 *   <li>{@link dev.braid.exchange.membership.StalenessClocks}: count the rounds of each rank
 * </ul>
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>Messages take no other route.</b> Messages in flight are sent again, in order, when the
 *       link works. The transport of each of these exchanges ({@code ExchangeRunner}, with {@code
 *       InOrder}) delivers each message once and in order. A turn is what a rank sends at one time,
 *       one partition to each peer: one turn per round, or, in a flush, one turn after another
 *       without rounds. A message counts as sent as soon as the transport has it. The rest of a
 *       peer's part of a turn waits in the outbox, and the rank begins no gradient until the rest
 *       is sent or the peer is absent. Exempt from the outbox's limit are measurements and plans of
 *       p, and the round that a peer is sent when it has caught up.
 *   <li><b>A peer is silent</b> if it has not answered for a second, or for four time-outs if that
 *       is longer. The unanswered message is one that it was sent, or a question of a rank that
 *       waits for others. A {@link dev.braid.exchange.membership.RollCall} of this rank then
 *       decides whether the peer is absent: where the link from A to B is cut, A and B are absent
 *       to each other, and both continue with all others. Without a majority, a rank finds no
 *       further peer absent, and waits at its staleness bound, or for a link that accepts nothing.
 *       An unreachable rank loses nothing: its batches wait, what it has sent is sent again, and
 *       what it has not sent stays accumulated.
 *   <li><b>What an absent peer misses is kept</b> for it, in an accumulator of its own or in {@code
 *       MissedGradients}. There are two exceptions: in gossip, the next model makes up for those
 *       before, and {@code Ako} without accumulation never sends what is not sent in its round.
 *   <li><b>When the peer is back</b>, lost messages are sent again, and then the missed gradients.
 *       An absent peer that owes an answer is asked at growing intervals. The peer applies each
 *       chunk as it arrives, and computes no gradient until every rank that is sending it chunks
 *       has sent the last one. Its clock counts as if it had kept up with the slowest of the
 *       others, so no rank waits for it.
 * </ol>
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>{@link dev.braid.exchange.Asynchronous} describes each step. A rank sends what waits, {@code
 * Ako} turn by turn until nothing is accumulated, and is quiet when all of that is acknowledged. A
 * receiver keeps what a flush brings, and applies it over its own next p rounds; the model is saved
 * as it would be after those. The run itself takes the deferred steps one by one, and only the
 * saved model includes all of them. While a peer catches up, the checkpoint waits for it.
 *
 * <p>Each rank writes its own replica, its clocks and p, and nothing accumulated, as all of it was
 * sent. (With {@code compress}, the residual is saved, too: {@link
 * dev.braid.exchange.compression}.)
 *
 * <p>In a run that resumes with the same number of ranks and the same batch, each gradient of
 * {@code Ako} with accumulation, and of {@code AllToAll}, counts once at every replica. The bits
 * differ from those of the run without the failure, because gradients arrive in another order. With
 * another number of ranks, or with another batch where ranks have not all done the same rounds, all
 * ranks begin with the mean of the replicas, which includes each gradient as well. Clocks begin at
 * the maximum of all ranks' rounds, and p is determined again.
 *
 * <p>The count is exact up to the rounding of the sums in {@code Accumulators}. Besides model and
 * gradient, a rank keeps min(p, n − 1) + 2 vectors; while a peer is absent, or p has just changed,
 * there are at most n + 1.
 *
 * <h2>Differences from the paper</h2>
 *
 * <p>The Javadoc of {@code PartitionPlan}, {@code OutgoingBandwidth}, {@code Accumulators} and
 * {@link dev.braid.exchange.membership.StalenessClocks} says what differs there. The paper's master
 * announces which workers have failed (§4.3); here each rank finds out which peers are absent. The
 * paper's checkpoints drop what is accumulated; here a flush sends it first.
 *
 * <p>The descriptors define each exchange's name on the command line and its options: {@link
 * dev.braid.exchange.async.AkoDescriptor} (as values: {@link dev.braid.exchange.async.AkoOptions}),
 * {@link dev.braid.exchange.async.AllToAllDescriptor} and {@link
 * dev.braid.exchange.async.GossipDescriptor}. {@link dev.braid.exchange.membership} defines when a
 * rank is silent, absent or excluded.
 */
package dev.braid.exchange.async;
