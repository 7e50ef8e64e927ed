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
 * algorithm of the paper, whose time-outs {@code Watch} keeps.
 *
 * <p>Vectors are sent in chunks, one message each: partial sums up ({@code PARTIAL}), the finished
 * sum down ({@code FINISHED}). At each rank a sum is {@code own + (first child's + second
 * child's)}, whatever route its parts took, so the bits are those of {@code tree} as long as all
 * ranks are in the view. When a rank has all chunks of the finished sum, it passes the sum to its
 * port once. The sum carries its number of samples: ranks that are excluded, or have no data left,
 * do not count.
 *
 * <h2>Classes of {@code BraidedTree}</h2>
 *
 * <ul>
 *   <li>{@code BraidedTree.ViewRounds}: a round, with sums on the way up and down; {@code
 *       TreeReduction}: the sums of a round; {@code ViewTree}: the tree of a view
 *   <li>{@link dev.braid.exchange.transport.Transport}: a link that does not answer, with probes,
 *       searches and retransmission
 *   <li>{@code UpwardSums}: a link to a parent that stays down, with the sum of two brothers
 *   <li>{@link dev.braid.exchange.membership.ElasticExchange}: a rank that is unreachable and
 *       rejoins
 * </ul>
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>An acknowledgement is overdue</b> according to measured round trips. The sender sends a
 *       {@code Probe} along the current route. The answer reports what has arrived. Without an
 *       answer, the sender searches for a route: {@code Find} floods out, {@code RouteFound} floods
 *       back, and the rank that was searched for receives a route back in {@code RouteBack}.
 *       <p>Lost messages are retransmitted, with their values, along the first route that is found.
 *       Later messages take the cheapest route. On the way up that is through the uncle; without an
 *       uncle, through the brother. On the way down it is through the brother, which gets the same
 *       sum: the message for this rank goes to the brother without values, and the brother inserts
 *       its own, as long as no message for the brother waits at the sender. Without a brother, the
 *       route down is through the uncle, with values. Each end keeps its own route and probes the
 *       link independently, so routes may differ between the two directions.
 *   <li><b>Two rounds later</b> the rank's sums go to the brother, which sends one vector for both
 *       ({@code UpwardSums}): {@code ComingThroughYou} one round before, {@code OF_BROTHER} to the
 *       brother, {@code OF_BOTH} from it. A round that was announced goes through the brother even
 *       if the link heals meanwhile.
 *   <li><b>A rank gets no answer to a message</b> along any route for one second, or for four times
 *       the limit for an acknowledgement if that is longer. The receiver is then silent, and the
 *       sender reports it to the {@link dev.braid.exchange.membership.Arbiter}, which may exclude
 *       it. A rank that only waits detects nothing and need not: if one of two ranks waits for the
 *       other, one of them always has an unacknowledged message. Sums use the tree of the view's
 *       members; searches use that tree's links and those of the tree of all ranks. Only the links
 *       of the tree of all ranks decide which ranks are connected.
 * </ol>
 *
 * <p>The page {@code docs/explanation/synchronous-exchanges.md} describes excluded ranks and cut
 * network paths. Views, the copy of a replica, and one sum for two brothers are not in the paper,
 * in which a rank without a route makes no progress.
 *
 * <h2>Memory and messages in flight</h2>
 *
 * <p>At most 32 chunks and 64 messages per receiver are unacknowledged; further messages wait at
 * the sender ({@code Window}). Messages are views of the gradient or the sum, which the transport
 * does not copy, and which is not overwritten before the receiver has it. Only sums of two brothers
 * have their own arrays. All data is kept by the parity of the round: two vectors of sums, and
 * early arrivals. A rank on the route of a message keeps none of it.
 *
 * <h2>Checkpoints</h2>
 *
 * <p>The exchange itself saves nothing. {@link dev.braid.exchange.Synchronous} lists the steps of a
 * checkpoint. All ranks of a restored run, including previously excluded ones, begin with the whole
 * model and in view 0. With the same number of ranks and none excluded, the bits are those of a run
 * without the failure.
 *
 * <h2>Source</h2>
 *
 * <p>Ch. 6 of a dissertation on decentralised, fault-tolerant training, cited as <em>fault-tolerant
 * tree</em>: §6.1 (Figure 7) describes the links, §6.2 the way up (Algorithm 1), §6.3 the way down
 * (Algorithm 2), and ch. 7 the cost of failures (Tables 1 and 2). The two kinds of links are those
 * of Leitão, Pereira and Rodrigues, "Epidemic broadcast trees", 2007.
 */
package dev.braid.exchange.fttree;
