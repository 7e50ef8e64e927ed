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
 * <h2>Where to find the parts of {@code Ako}</h2>
 *
 * <table border="1">
 * <caption>Topics and files</caption>
 * <tr><th>topic</th><th>file</th></tr>
 * <tr><td>division of a gradient into p partitions, and which peer is sent which of them when</td>
 * <td>{@link dev.braid.exchange.async.Ako}</td></tr>
 * <tr><td>when a rank waits; what it does when a peer is absent, and when it is back</td>
 * <td>{@code AsynchronousExchange}, the common part of all three</td></tr>
 * <tr><td>what each peer has not been sent yet</td><td>{@code Accumulators}</td></tr>
 * <tr><td>choice of p</td><td>{@code PartitionPlan}</td></tr>
 * </table>
 *
 * <p>These classes build on others that need not be read first:
 *
 * <ul>
 *   <li>{@code GradientRate} measures the gradient rate γ for the plan.
 *   <li>{@code OutgoingBandwidth} measures B, the bytes per second to all peers together. B is the
 *       lesser of what the network carries and of what can be sent in a tenth of the processor's
 *       time. The processor's limit is at least one chunk to each peer per gradient.
 *   <li>{@code DeferredSteps} spreads the sums that a flush (see "At a checkpoint") has delivered
 *       all at once over the rounds in which they would have arrived.
 *   <li>An {@link dev.braid.exchange.transport.Outbox} limits the messages in flight on each link
 *       to four, or more where four hold others up and answers arrive within a tenth of a second.
 *       The transport keeps copies of them until they have arrived.
 *   <li>{@link dev.braid.exchange.membership.StalenessClocks} count the rounds of each rank.
 *   <li>{@code MissedGradients} are what {@code AllToAll} keeps for a peer instead of {@code
 *       Accumulators}.
 * </ul>
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>Messages take no other route.</b> Messages in flight are sent again, in order, when the
 *       link works. The transport of each of these exchanges ({@code ExchangeRunner}, with {@code
 *       InOrder}) delivers each message once and in order. A turn is what a rank sends at one time,
 *       one partition to each peer: one turn per round, or, in a flush, one turn after another
 *       without rounds. A message counts as sent as soon as the transport has it, whether or not it
 *       has arrived. The outbox limits how many messages for one peer have not arrived. The rest of
 *       the peer's part of a turn waits in the outbox, and the rank begins no gradient until the
 *       rest is sent or the peer is absent. Exempt from the limit are measurements and plans of p,
 *       and the round that a peer is sent when it has caught up.
 *   <li><b>A peer is silent</b> if it has not answered for a second, or for four time-outs if that
 *       is longer. The unanswered message is one that it was sent, or a question of a rank that
 *       waits for others. Then all other ranks are asked, too. If this rank and those that answer
 *       are a majority, and the peer still does not answer, it is absent to this rank. Each rank
 *       decides that independently, in a {@link dev.braid.exchange.membership.RollCall}: where the
 *       link from A to B is cut, A and B are absent to each other, and both continue with all
 *       others. Half of the ranks count as a majority if rank 0 is among them. Without a majority,
 *       a rank finds no further peer absent. It waits at its staleness bound, or for a link that
 *       accepts nothing. So if the ranks are partitioned, at most one part continues to train. An
 *       unreachable rank loses nothing: its batches wait, what it has sent is sent again, and what
 *       it has not sent stays accumulated. All of it reaches the others once, when links work.
 *   <li><b>What an absent peer misses is kept</b> for it, in an accumulator of its own or in {@code
 *       MissedGradients}. There are two exceptions: in gossip, the next model makes up for those
 *       before, and {@code Ako} without accumulation never sends what is not sent in its round.
 *   <li><b>When the peer is back</b>, it is first sent what it has missed. An absent peer that owes
 *       an answer is asked again, at growing intervals; after its first answer, lost messages are
 *       sent again. Then the missed gradients are sent, chunk by chunk, before any other gradient
 *       and whether or not this rank computes. The peer applies each chunk as it arrives. It
 *       computes no gradient until every rank that is sending it chunks has sent the last one. No
 *       rank waits for the peer's clock, which is far behind: its clock counts as if it had kept up
 *       with the slowest of the others.
 * </ol>
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>Ranks contribute no further gradients, and each rank flushes: it sends what waits, {@code Ako}
 * turn by turn until nothing is accumulated. It is quiet when all of that is acknowledged. A
 * receiver keeps what a flush brings, and applies it over its own next p rounds; the model is saved
 * as it would be after those. When all ranks are quiet, states are written, and all ranks resume.
 * The run itself takes the deferred steps one by one, and only the saved model includes all of
 * them. If a rank cannot become quiet, because an absent peer lacks something or the rank itself is
 * unreachable, the checkpoint is declined. Then all ranks continue from where they are, and what
 * the flush has sent counts. While a peer catches up, the checkpoint waits for it. {@link
 * dev.braid.exchange.Asynchronous} describes each step.
 *
 * <p>Each rank writes its own replica, its clocks and p; the source saves each rank's position in
 * the data. Nothing accumulated is saved, as all of it was sent. (With {@code compress}, statements
 * about gradients apply to the part of each that is taken to be sent. The rest is kept in a
 * residual, which is saved, too: {@link dev.braid.exchange.compression}.)
 *
 * <p>In a run that resumes with the same number of ranks and the same batch, each gradient of
 * {@code Ako} with accumulation, and of {@code AllToAll}, counts once at every replica. The bits
 * differ from those of the run without the failure, because gradients arrive in another order. With
 * another number of ranks, or with another batch where ranks have not all done the same rounds, all
 * ranks begin with the mean of the replicas, which includes each gradient as well. Clocks begin at
 * the maximum of all ranks' rounds, and p is determined again.
 *
 * <p>Each gradient counts once for two reasons. For each peer and element a rank knows how much of
 * its running total the peer has been sent, and sends the difference; and a message that was sent
 * arrives once. The count is exact up to the rounding of those sums. Besides model and gradient, a
 * rank keeps min(p, n − 1) + 2 vectors: the running total, the part of it that each group of peers
 * has been sent, and what flushes have brought. While a peer is absent, or p has just changed,
 * there are at most n + 1.
 *
 * <h2>Differences from the paper</h2>
 *
 * <ul>
 *   <li>Unless {@code partitions} gives p, p is chosen repeatedly, not once ({@code
 *       PartitionPlan}).
 *   <li>The processor, too, limits the bandwidth from which p is derived ({@code
 *       OutgoingBandwidth}), unless {@code bandwidth} gives it.
 *   <li>One running total replaces a queue of p gradients ({@code Accumulators}).
 *   <li>Messages carry clocks, and are not counted ({@link
 *       dev.braid.exchange.membership.StalenessClocks}).
 *   <li>The paper's master announces which workers have failed (§4.3). Here each rank finds out
 *       which peers are absent, and keeps for them what they miss.
 *   <li>The paper's checkpoints drop what is accumulated; here a flush sends it first.
 * </ul>
 *
 * <p>The descriptors define each exchange's name on the command line and its options: {@link
 * dev.braid.exchange.async.AkoDescriptor} (as values: {@link dev.braid.exchange.async.AkoOptions}),
 * {@link dev.braid.exchange.async.AllToAllDescriptor} and {@link
 * dev.braid.exchange.async.GossipDescriptor}. {@link dev.braid.exchange.membership} defines when a
 * rank is silent, absent or excluded.
 */
package dev.braid.exchange.async;
