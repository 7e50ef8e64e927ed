/**
 * Tree allreduce that goes around failed links: each rank has links to its parent, to its brother,
 * and to its uncle, who is its parent's brother.
 *
 * <pre>
 *                   0                  primary links, / and \: sums go up, the finished sum down
 *                 /   \                backup links, · · ·
 *       uncle   1 · · · 2   parent
 *               ·      / \             around the link from 5 to its parent:
 *               ·     /   \              5 · 1 · 2   through the uncle, over backup links only
 *               · · 5 · · · 6            5 · 6 / 2   through the brother
 *                 rank   brother
 * </pre>
 *
 * <p>So to rank 5 its uncle is 1, and to rank 1 the children of its brother, 5 and 6, are its
 * nephews. The uncle has a link to the parent, as the two are brothers. The root's children have no
 * uncle.
 *
 * <p>{@link dev.braid.exchange.fttree.BraidedTree} is what {@code ft-tree} runs. {@link
 * dev.braid.exchange.fttree.FaultTolerantTree} is the algorithm of the paper that it improves on
 * ({@code timeout=500ms}): there brother and uncle hear by metadata that a sum was sent, and that
 * it has come, and step in after a fixed time-out ({@code Watch}).
 *
 * <h2>Where to read what, of {@code BraidedTree}</h2>
 *
 * <table border="1">
 * <caption>question and file</caption>
 * <tr><th>question</th><th>file</th></tr>
 * <tr><td>a round: which sums go up and down</td>
 * <td>{@code ViewRounds}</td></tr>
 * <tr><td>a link does not answer: questions, searches, what is sent again</td>
 * <td>{@link dev.braid.exchange.transport.Transport}</td></tr>
 * <tr><td>a link to a parent stays down: the brother adds both sums</td>
 * <td>{@code UpwardSums}</td></tr>
 * <tr><td>a rank is cut off, and comes back</td>
 * <td>{@link dev.braid.exchange.membership.ElasticExchange}</td></tr>
 * </table>
 *
 * <p>Vectors travel in chunks, each a message: a partial sum up ({@code PARTIAL}), the finished one
 * down ({@code FINISHED}). A sum is {@code own + (first child's + second child's)} at each rank,
 * whichever way its parts came. When all chunks of the finished sum are here, the rank hands it to
 * its port once, and the replica takes one step of the updater along sum / samples. The sum tells
 * how many samples are in it: ranks that are left out, or have no data left, do not count.
 *
 * <p>What these stand on need not be read first: a {@code TreeReduction} keeps a round's sums,
 * takes each subtree's once, whatever way it came, and keeps what comes a round early; a {@code
 * ViewTree} says who is whose child; a {@link dev.braid.exchange.transport.Transport} brings
 * messages to their receivers.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>An acknowledgement is overdue</b>, by the round trips that were measured: the sender
 *       asks along the way in use. The answer to this {@code Probe} says what has arrived, and the
 *       rest goes again by the same way. Without an answer the sender asks all its neighbours, who
 *       ask theirs and so on, for a way ({@code Find} floods out, {@code WayFound} floods back; the
 *       rank that was searched for is told a way back, {@code WayBack}). What was lost goes again,
 *       with its values, by the first way that is found. What follows takes the cheapest. Up, that
 *       is through the uncle; without an uncle, through the brother. Down, it is through the
 *       brother: he gets the same sum for himself, so what is for this rank goes to him without
 *       values, and he puts his in, as long as nothing for him waits at the sender. Without a
 *       brother it is through the uncle, with values. The way is kept, and the link itself is
 *       probed now and again: when it answers, messages take it again at once. Each end keeps, and
 *       probes for, its own way: ways may differ there and back.
 *   <li><b>Two rounds later</b>, as long as messages to the parent take another way and those to
 *       the brother do not, the rank's sums go to the brother, who sends one vector for both:
 *       {@code ComingThroughYou} one round before, {@code OF_BROTHER} to him, {@code OF_BOTH} from
 *       him. (Two floats give the same sum in either order, so it does not matter which of the two
 *       adds.) A round that he was told of goes through him even if the link heals meanwhile.
 *   <li><b>A rank that has sent another something gets no answer</b> by any way for a second, or
 *       for four times as long as an acknowledgement may take if that is longer: the other is
 *       silent, and the arbiter is told. A rank that only waits finds nothing out, and need not: of
 *       two ranks of which one waits for the other, one has always something that is not
 *       acknowledged. There is one {@link dev.braid.exchange.membership.Arbiter}, in the job's
 *       coordinator; all ranks reach it, even those that are cut off, over Flink's connections to
 *       the JobManager, which failures of links do not touch. It calls all ranks, and waits for one
 *       that only stands still; then all listen who of their neighbours is heard. <em>Only if the
 *       ranks that are connected are others than before</em>, it stops all and has them enter a
 *       {@link dev.braid.exchange.participation.View}, which says who takes part, and from which
 *       round on: of the parts in which each rank reaches each, there and back, over whatever
 *       links, the largest that has a rank with the model of the view before, of equal ones that
 *       with the lowest rank; even if it is less than half, and with another root if 0 is not in
 *       it. Sums go over the tree of its members, and searches over that tree's links and those of
 *       the tree of all ranks; who is connected is decided by the links of the tree of all ranks
 *       alone. The view begins after the most rounds that any member with the model of the view
 *       before has completed. Those of them that have completed as many are <em>current</em>, and
 *       contribute their gradients again to the round that was under way; every other member gets a
 *       copy of a current one's replica first. A round that only ranks left out have completed is
 *       done again. Messages of other views are dropped.
 *   <li><b>Meanwhile</b> a rank that is left out computes nothing, and its batches are not used. It
 *       asks those of its neighbours that are members, again and again, whether the link works both
 *       ways. When one does, the arbiter has all listen again; the next view has this rank, and
 *       others that are connected through it. It gets a copy of a member's replica, for which the
 *       others' round waits, and computes.
 * </ol>
 *
 * <p>A rank whose process ends is not left out: Flink restarts all ranks from the last checkpoint.
 * Who is silent, left out or cut off is defined in {@link dev.braid.exchange.membership}; what the
 * host does with gradients and batches of missed rounds, at {@code Position} in {@code worker}.
 *
 * <h2>What is kept, and what is under way</h2>
 *
 * <p>To each rank at most 32 chunks, and 64 messages, are not acknowledged; what goes beyond that
 * waits at its sender ({@code Window}). Messages show the gradient or the sum itself, of which no
 * copy is made, and which is written again only when the receiver has it; only sums of two brothers
 * have arrays of their own. A neighbour is at most one round ahead, since it needs this rank's sum
 * for the next: so all is kept by the parity of the round, in two vectors of sums, this round's and
 * the last one's, which a neighbour may still lack, and what has come early beside them. A rank on
 * the way of a message keeps nothing of it.
 *
 * <h2>Other than in the paper</h2>
 *
 * <p>Time-outs follow measured round trips, the ends of a link notice a failure themselves, and the
 * way that was found is kept, where the paper's ranks wait for a fixed time in each phase of every
 * round. Views, the copy of a replica, and one sum for two brothers are not the paper's: there a
 * rank without a way stands still.
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>All members complete the last round that any of them has completed. A round beyond that is
 * rolled back: its gradients are kept, and contributed again when the ranks go on. {@link
 * dev.braid.exchange.Synchronous} has this step by step.
 *
 * <p>The exchange itself saves nothing. Each member writes its share of the weights and of the
 * updater's state, each rank its number of rounds; the source saves its place in the data. A
 * gradient that was rolled back is not saved: in a restored run its batch comes again, and gives
 * the same gradient. All ranks, those that were left out too, begin with the whole model and in
 * view 0. So at the same number of ranks, if nobody is left out, the bits are those of a run
 * without the failure. At another number the tree is that of as many ranks, and batches and the
 * order of sums are others: the bits are, too.
 *
 * <p>As long as all ranks are in the view, the bits are those of {@code tree} without faults,
 * whatever links do.
 *
 * <h2>Words</h2>
 *
 * <p>A <em>port</em> is how an exchange acts on the world, and its <em>host</em> the Flink operator
 * behind that; the <em>loop</em> is the ring of operators through which workers send to each other;
 * a rank is <em>held</em> while it is stopped for a checkpoint; its <em>replica</em> is its model
 * with its updater's state; view 0 is that of all ranks, with which a run begins.
 *
 * <h2>Source</h2>
 *
 * <p>Ch. 6 of a dissertation on decentralised, fault-tolerant training, cited as <em>fault-tolerant
 * tree</em>: §6.1 (Figure 7) has the links, §6.2 the way up (Algorithm 1), §6.3 the way down
 * (Algorithm 2), and ch. 7 what failures cost (Tables 1 and 2). Its two kinds of links are those of
 * Leitão, Pereira and Rodrigues, "Epidemic broadcast trees", 2007.
 */
package dev.braid.exchange.fttree;
