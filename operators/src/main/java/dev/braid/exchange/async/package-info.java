/**
 * Exchanges in which every rank goes its own pace: its own gradient changes its model at once, and
 * what others send when it comes.
 *
 * <p>A round is one gradient of one rank, complete as soon as it is contributed. In {@code Ako} and
 * {@code AllToAll} every step, along own gradients or others', is divided by the number of ranks
 * times the batch, absent ranks counted; in {@code GossipGrad} a step is divided by the gradient's
 * own samples, and what others send is averaged.
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
 * <tr><td>how a gradient is cut, into p partitions, and which peer gets which of them when</td>
 * <td>{@link dev.braid.exchange.async.Ako}</td></tr>
 * <tr><td>when a rank waits; what it does when a peer is absent, and when it is back</td>
 * <td>{@code AsynchronousExchange}, the frame of all three</td></tr>
 * <tr><td>what each peer has not been sent yet</td><td>{@code Accumulators}</td></tr>
 * <tr><td>how p is chosen</td><td>{@code PartitionPlan}</td></tr>
 * </table>
 *
 * <p>What these stand on need not be read first: {@code GradientRate} measures γ for the plan, and
 * {@code OutgoingBandwidth} B, the bytes a second to all peers together: the lesser of what the
 * network carries and of what can be sent in a tenth of the processor's time, where the processor
 * counts for one chunk to each peer per gradient at least; {@code DeferredSteps} spreads what a
 * flush (see "At a checkpoint") has sent all at once over the rounds in which it would have come;
 * an {@link dev.braid.exchange.transport.Outbox} bounds what is under way on each link to four
 * messages, or more where four hold others up and answers come within a tenth of a second, and the
 * transport keeps copies of them until they have arrived; {@link
 * dev.braid.exchange.membership.StalenessClocks} count how far each rank is. {@code
 * MissedGradients} are what {@code AllToAll} keeps for a peer in the place of {@code Accumulators}.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>No other way is looked for.</b> What is under way is sent again, in order, when the link
 *       works; the transport that sees to that is around each of these exchanges ({@code
 *       ReliableAsynchronous}, with {@code InOrder}): it delivers each message once and in order. A
 *       turn is what a rank sends at one time, one partition to each peer: one for each round, and,
 *       in a flush, one after the other without rounds. A message counts as sent as soon as the
 *       transport has it, arrived or not. The outbox bounds how many for one peer have not arrived;
 *       the rest of the peer's part of a turn waits in it, and the rank begins no gradient until
 *       that is sent, or the peer is absent. Not bounded are measurements and plans of p, and the
 *       round that a peer is told when it has caught up.
 *   <li><b>A peer is silent</b> that has not answered for a second, or for four time-outs if that
 *       is longer: what it was sent, or a rank that waits for others asked it. Then all others are
 *       asked, too. If this rank and those that answer are a majority, and the peer still does not
 *       answer, it is absent: to this rank. Each rank decides that for itself, in a {@link
 *       dev.braid.exchange.membership.RollCall}: where the link from A to B is cut, A and B are
 *       absent to each other, and both go on with all others. Half of the ranks with rank 0 among
 *       them count as a majority. Without one, a rank finds nobody absent whom it has not found
 *       absent before, and waits: at its staleness bound, or for a link that takes nothing. So of
 *       ranks that have fallen apart, one part at most trains on. A rank that is cut off loses
 *       nothing: its batches wait, what it has sent is sent again, what it has not sent stays
 *       accumulated, and all of it reaches the others once, when links work.
 *   <li><b>What an absent peer misses is kept</b> for it: in an accumulator of its own, or in
 *       {@code MissedGradients}. Not in gossip, where the next model makes up for those before, nor
 *       in {@code Ako} without accumulation, which never sends what is not sent in its round.
 *   <li><b>When it is back</b>: an absent peer that owes an answer is asked again, at growing
 *       intervals; with its first answer what was lost is sent again. {@code CatchUp} sends it what
 *       it has missed, chunk by chunk, before any other gradient and whether or not this rank
 *       computes. The peer applies each chunk as it comes, and computes no gradient until all that
 *       are sending it chunks have sent their last. Nobody waits for its clock, which is far
 *       behind: its clock counts as if it had kept up with the slowest of the others.
 * </ol>
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>Nobody contributes any more, and each rank flushes: it sends what waits, {@code Ako} turn by
 * turn until nothing is accumulated, and is quiet when all of it is acknowledged. A receiver keeps
 * what a flush brings, and applies it over its own next p rounds; the model is saved as it would be
 * after that. When all are quiet, states are written, and all go on; the run itself takes the steps
 * that were kept one by one, and only the saved model has them all. If one rank cannot get quiet,
 * as a peer is absent that lacks something, or as it is cut off itself, the checkpoint is declined:
 * all carry on from where they are, and what the flush has sent counts. While a peer catches up,
 * the checkpoint waits for that. {@link dev.braid.exchange.Asynchronous} has this step by step.
 *
 * <p>Each rank writes its own replica, its clocks and p; the source saves each rank's place in the
 * data. Nothing accumulated is saved, as all of it was sent. (With {@code compress} what is said of
 * gradients holds for what is taken of each to be sent; the rest is kept in a residual, which is
 * saved, too: {@link dev.braid.exchange.compression}.) In a run that goes on at the same number of
 * ranks and with the same batch, each gradient of {@code Ako} with accumulation, and of {@code
 * AllToAll}, counts once at every replica, but the bits are not those of the run without the
 * failure: gradients come in another order. At another number, or with another batch where ranks
 * have not all done the same rounds, all begin with the mean of the replicas, in which each
 * gradient is as well; clocks begin at the most rounds that any rank had, and p is found anew.
 *
 * <p>Why each gradient counts once: for each peer and element a rank knows how much of its running
 * total the peer has been sent, and sends the difference; and a message that was sent arrives once.
 * It is once up to the rounding of those sums. Beside model and gradient a rank keeps min(p, n − 1)
 * + 2 vectors: the running total, what of it each group of peers has been sent, and what flushes
 * have brought. While a peer is absent, or p has just changed, they are n + 1 at most.
 *
 * <h2>Other than in the paper</h2>
 *
 * <p>Unless {@code partitions} gives it, p is chosen again and again, not once ({@code
 * PartitionPlan}); the bandwidth that it is chosen by is bounded by the processor as well ({@code
 * OutgoingBandwidth}), unless {@code bandwidth} gives it; one running total stands in the place of
 * a queue of p gradients ({@code Accumulators}); messages tell clocks, and are not counted ({@link
 * dev.braid.exchange.membership.StalenessClocks}). The paper's master tells who has failed (§4.3);
 * here each rank finds out who is absent, and keeps for it what it misses. The paper's checkpoints
 * drop what is accumulated; here a flush sends it before.
 *
 * <p>How each is called on the command line, and with which options, its descriptor says: {@link
 * dev.braid.exchange.async.AkoDescriptor} (as values: {@link dev.braid.exchange.async.AkoOptions}),
 * {@link dev.braid.exchange.async.AllToAllDescriptor} and {@link
 * dev.braid.exchange.async.GossipDescriptor}. Who is silent, absent or cut off is defined in {@link
 * dev.braid.exchange.membership}.
 */
package dev.braid.exchange.async;
