/**
 * Tree allreduce that routes around failed links. Each rank has links to its parent, to its
 * brother, and to its uncle, which is its parent's brother.
 *
 * <pre>
 *                   0                  primary links, / and \: sums go up, the finished sum down
 *                 /   \                backup links, · · ·
 *       uncle   1 · · · 2   parent
 *               ·      / \             routes around the link from 5 to its parent:
 *               ·     /   \              5 · 1 · 2   through the uncle, over backup links only
 *               · · 5 · · · 6            5 · 6 / 2   through the brother
 *                 rank   brother
 * </pre>
 *
 * <p>In the figure, 1 is the uncle of rank 5, and ranks 5 and 6 are the nephews of rank 1. The
 * uncle has a link to the parent, because the two are brothers. The root's children have no uncle.
 *
 * <p>{@code ft-tree} runs {@link dev.braid.exchange.fttree.BraidedTree} by default. With a fixed
 * time-out ({@code timeout=500ms}) it runs {@link dev.braid.exchange.fttree.FaultTolerantTree}, the
 * algorithm of the paper. There, metadata notify brother and uncle that a sum was sent and that it
 * was received, and the two step in after the time-out ({@code Watch}).
 *
 * <h2>Classes of {@code BraidedTree}</h2>
 *
 * <table border="1">
 * <caption>Topics and the classes that implement them</caption>
 * <tr><th>topic</th><th>class</th></tr>
 * <tr><td>a round: sums on the way up and down</td>
 * <td>{@code BraidedTree}'s {@code ViewRounds}</td></tr>
 * <tr><td>a link that does not answer: probes, searches, retransmission</td>
 * <td>{@link dev.braid.exchange.transport.Transport}</td></tr>
 * <tr><td>a link to a parent that stays down: the brother adds both sums</td>
 * <td>{@code UpwardSums}</td></tr>
 * <tr><td>a rank that is unreachable and rejoins</td>
 * <td>{@link dev.braid.exchange.membership.ElasticExchange}</td></tr>
 * </table>
 *
 * <p>Vectors are sent in chunks, one message each: partial sums up ({@code PARTIAL}), the finished
 * sum down ({@code FINISHED}). At each rank a sum is {@code own + (first child's + second
 * child's)}, whatever route its parts took. When a rank has all chunks of the finished sum, it
 * passes the sum to its port once, and the replica takes one step of the updater along sum /
 * samples. The sum carries its number of samples: ranks that are excluded, or have no data left, do
 * not count.
 *
 * <p>Supporting classes: {@code TreeReduction} keeps a round's sums, takes each subtree's sum once,
 * whatever its route, and keeps sums that arrive a round early. {@code ViewTree} has the tree of a
 * view. {@link dev.braid.exchange.transport.Transport} delivers messages to their receivers.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>An acknowledgement is overdue</b> according to measured round trips. The sender sends a
 *       {@code Probe} along the current route. The answer reports what has arrived, and the rest is
 *       retransmitted along the same route. Without an answer, the sender asks all its neighbours
 *       for a route, and they ask theirs and so on: {@code Find} floods out, {@code RouteFound}
 *       floods back, and the rank that was searched for receives a route back in {@code RouteBack}.
 *       <p>Lost messages are retransmitted, with their values, along the first route that is found.
 *       Later messages take the cheapest route. On the way up that is through the uncle; without an
 *       uncle, through the brother. On the way down it is through the brother, which gets the same
 *       sum: the message for this rank goes to the brother without values, and the brother inserts
 *       its own, as long as no message for the brother waits at the sender. Without a brother, the
 *       route down is through the uncle, with values.
 *       <p>The route is kept, and the link itself is probed from time to time. When it answers,
 *       messages use it again at once. Each end keeps its own route and probes independently, so
 *       routes may differ between the two directions.
 *   <li><b>Two rounds later</b>, as long as messages to the parent take another route and those to
 *       the brother do not, the rank's sums go to the brother, which sends one vector for both:
 *       {@code ComingThroughYou} one round before, {@code OF_BROTHER} to the brother, {@code
 *       OF_BOTH} from it. The sum of two floats does not depend on their order, so either of the
 *       two may add. A round that was announced goes through the brother even if the link heals
 *       meanwhile.
 *   <li><b>A rank gets no answer to a message</b> along any route for one second, or for four times
 *       the limit for an acknowledgement if that is longer. The receiver is then silent, and the
 *       sender reports it to the arbiter. A rank that only waits detects nothing and need not: if
 *       one of two ranks waits for the other, one of them always has an unacknowledged message.
 *       <p>The only {@link dev.braid.exchange.membership.Arbiter} is in the job's coordinator. All
 *       ranks, even unreachable ones, reach it over Flink's connections to the JobManager, which
 *       failures of links do not affect. It calls all ranks, and waits for a rank that is only
 *       paused. Then all ranks listen for which of their neighbours are heard. <em>Only if the set
 *       of connected ranks has changed</em>, the arbiter stops all ranks and has them enter a
 *       {@link dev.braid.exchange.participation.View}, which defines who takes part and from which
 *       round on.
 *       <p>Members are the ranks of one part, in which each rank reaches each other in both
 *       directions over any links: the largest part that has a rank with the model of the previous
 *       view; among equal parts, the one with the lowest rank. The part may be smaller than half of
 *       the ranks, and has another root if it does not contain rank 0. Sums use the tree of its
 *       members; searches use that tree's links and those of the tree of all ranks. Only the links
 *       of the tree of all ranks decide which ranks are connected.
 *       <p>The view begins after the largest number of rounds that any member with the previous
 *       view's model has completed. Members that have completed that many are <em>current</em>, and
 *       contribute their gradients again to the round that was in progress. Every other member
 *       first gets a copy of a current member's replica. A round that only excluded ranks have
 *       completed is repeated. Messages of other views are dropped.
 *   <li><b>Meanwhile</b> an excluded rank computes nothing, and its batches are not used. It
 *       repeatedly asks its neighbours in the view whether the link works in both directions. When
 *       one does, the arbiter has all ranks listen again. The next view contains this rank, and
 *       other ranks connected through it. The rank gets a copy of a member's replica, for which the
 *       others' round waits, and then computes.
 * </ol>
 *
 * <p>A rank whose process ends is not excluded: Flink restarts all ranks from the last checkpoint.
 * {@link dev.braid.exchange.membership} defines the states of ranks; {@code Position} in {@code
 * worker} describes how the host handles gradients and batches of missed rounds.
 *
 * <h2>Memory and messages in flight</h2>
 *
 * <p>At most 32 chunks and 64 messages per receiver are unacknowledged; further messages wait at
 * the sender ({@code Window}). Messages are views of the gradient or the sum, which is not copied
 * and not overwritten before the receiver has it. Only sums of two brothers have their own arrays.
 * A neighbour is at most one round ahead, because it needs this rank's sum for the next round. All
 * data is therefore kept by the parity of the round: two vectors of sums (of the current round, and
 * of the last one, which a neighbour may still lack), and early arrivals. A rank on the route of a
 * message keeps none of it.
 *
 * <h2>Differences from the paper</h2>
 *
 * <p>Time-outs follow measured round trips, the ends of a link detect a failure themselves, and the
 * route that was found is kept. The paper's ranks wait for a fixed time in each phase of every
 * round. Views, the copy of a replica, and one sum for two brothers are not in the paper, in which
 * a rank without a route makes no progress.
 *
 * <h2>Checkpoints</h2>
 *
 * <p>All members complete the last round that any of them has completed. A round beyond that is
 * rolled back: its gradients are kept, and contributed again when the ranks resume. {@link
 * dev.braid.exchange.Synchronous} lists the steps.
 *
 * <p>The exchange itself saves nothing. Each member writes its share of the weights and of the
 * updater's state, and each rank its number of rounds; the source saves its position in the data. A
 * gradient that was rolled back is not saved: a restored run reads its batch again and computes the
 * same gradient. All ranks, including previously excluded ones, begin with the whole model and in
 * view 0. With the same number of ranks and none excluded, the bits are therefore those of a run
 * without the failure. With another number of ranks the tree, the batches and the order of sums
 * differ, and so do the bits.
 *
 * <p>As long as all ranks are in the view, the bits are those of {@code tree} without faults,
 * whatever links do.
 *
 * <h2>Terms</h2>
 *
 * <p>A <em>port</em> is how an exchange acts on the world, and its <em>host</em> is the Flink
 * operator behind the port. The <em>loop</em> is the ring of operators through which workers send
 * to each other. A rank is <em>held</em> while it is stopped for a checkpoint. Its <em>replica</em>
 * is its model with its updater's state. View 0 is that of all ranks, with which a run begins.
 *
 * <h2>Source</h2>
 *
 * <p>Ch. 6 of a dissertation on decentralised, fault-tolerant training, cited as <em>fault-tolerant
 * tree</em>: §6.1 (Figure 7) describes the links, §6.2 the way up (Algorithm 1), §6.3 the way down
 * (Algorithm 2), and ch. 7 the cost of failures (Tables 1 and 2). The two kinds of links are those
 * of Leitão, Pereira and Rodrigues, "Epidemic broadcast trees", 2007.
 */
package dev.braid.exchange.fttree;
