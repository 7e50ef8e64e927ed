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
 * ({@code --link-timeout} with a time, such as {@code 500ms}): there brother and uncle hear by
 * metadata that a sum was sent, and that it has come, and step in after a fixed time-out ({@code
 * Watch}).
 *
 * <h2>Where to read what, of {@code BraidedTree}</h2>
 *
 * <table border="1">
 * <caption>question and file</caption>
 * <tr><th>question</th><th>file</th></tr>
 * <tr><td>a round: which sums go up and down, in which order they are added</td>
 * <td>{@code ViewRounds}</td></tr>
 * <tr><td>a link to a parent stays down: the brother adds both sums</td>
 * <td>{@code UpwardSums}</td></tr>
 * <tr><td>a rank is cut off, and comes back</td>
 * <td>{@link dev.braid.exchange.membership.ElasticExchange}</td></tr>
 * <tr><td>a checkpoint</td><td>{@link dev.braid.exchange.Synchronous}</td></tr>
 * </table>
 *
 * <p>Vectors travel in chunks, each a message. When all chunks of the finished sum are here, the
 * rank hands it to its port once, and the replica takes one step of the updater along sum /
 * samples. The sum tells how many samples are in it: ranks that are left out, or have no data left,
 * do not count.
 *
 * <p>What these stand on need not be read first: a {@code TreeReduction} keeps a round's sums and
 * takes each subtree's once, whatever way it came; a {@code ViewTree} says who is whose child; a
 * {@link dev.braid.exchange.transport.Transport} brings messages to their receivers.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>An acknowledgement is overdue</b>, by the round trips that were measured: the sender
 *       asks along the way in use. The answer to this {@code Probe} says what has arrived, and the
 *       rest goes again by the same way. Without an answer the sender asks all its neighbours, who
 *       ask theirs and so on, for a way ({@code Find} floods out, {@code WayFound} floods back;
 *       {@link dev.braid.exchange.transport.Transport}). What was lost goes again, with its values,
 *       by the first way that is found; what follows, by the cheapest: up through the uncle, or,
 *       without one, through the brother; down through the brother, who has the same sum for
 *       himself: so he is sent no values for the rank, as long as nothing for himself waits, and
 *       puts in his own; without a brother, through the uncle, with values. The way is kept, and
 *       the link itself is probed now and again: when it answers, messages take it again at once.
 *       Each rank keeps and probes for its own way: ways may differ there and back.
 *   <li><b>Two rounds later</b>, as long as messages to the parent take another way and those to
 *       the brother do not, the rank's sums go to the brother, who sends one vector for both. A
 *       round that he was told of goes through him even if the link heals meanwhile.
 *   <li><b>A rank gets no answer from another</b> by any way for a second, or for four time-outs if
 *       that is longer: the other is silent, and the arbiter is told. There is one, in the job's
 *       coordinator; ranks reach it over a control plane that links' failures do not touch, those
 *       that are cut off, too. It calls all ranks, and waits for one that only stands still; then
 *       all listen who of their neighbours is heard. <em>Only if the ranks that are connected are
 *       others than before</em>, it stops all and has them enter a {@link
 *       dev.braid.exchange.participation.View}, which says who takes part, and from which round on:
 *       of the parts that are connected both ways, the largest that has a rank with the model of
 *       the view before, of equal ones that with the lowest rank; even if it is less than half, and
 *       with another root if 0 is not in it. Sums go over the tree of its members, and searches
 *       over that tree's links and those of the tree of all ranks; who is connected is decided by
 *       the links of the tree of all ranks alone. The view begins with the most rounds that any of
 *       those members has completed which have the model of the view before. Those that have
 *       completed so many are <em>current</em>, and contribute their gradients again to the round
 *       that was under way; every other member gets a copy of a current one's replica first. A
 *       round that only ranks left out have completed is done again. Messages of other views are
 *       dropped.
 *   <li><b>Meanwhile</b> a rank that is left out computes nothing, and its batches are not used. It
 *       asks those of its neighbours that are members, again and again, whether the link works both
 *       ways. When one does, it is in the next view, gets a copy of a member's replica, for which
 *       the others' round waits, and computes.
 * </ol>
 *
 * <p>A rank whose process ends is not left out: Flink restarts all ranks from the last checkpoint.
 * Who is silent, left out or cut off is defined in {@link dev.braid.exchange.membership}; what the
 * host does with gradients and batches of missed rounds, at {@code Position} in {@code worker}.
 *
 * <h2>Other than in the paper</h2>
 *
 * <p>Time-outs follow measured round trips, the ends of a link notice a failure themselves, and the
 * way that was found is kept, where the paper's ranks wait for a fixed time in each phase of every
 * round. Views, the copy of a replica, and one sum for two brothers are not the paper's: there a
 * rank without a way stands still.
 *
 * <h2>What a checkpoint saves</h2>
 *
 * <p>The exchange itself saves nothing. Each member writes its share of the weights and of the
 * updater's state, each rank its number of rounds; the source saves its place in the data. A
 * gradient that was rolled back is not saved: in a restored run its batch comes again, and gives
 * the same gradient. All ranks, those that were left out too, begin with the whole model and in
 * view 0. So at the same number of ranks, if nobody is left out, the bits are those of a run
 * without the failure.
 *
 * <p>A sum is {@code own + (first child's + second child's)} at each rank, whichever way its parts
 * came. So as long as all ranks are in the view, the bits are those of {@code tree} without faults.
 *
 * <h2>Source</h2>
 *
 * <p>Ch. 6 of a dissertation on decentralised, fault-tolerant training, cited as <em>fault-tolerant
 * tree</em>: §6.1 (Figure 7) has the links, §6.2 the way up (Algorithm 1), §6.3 the way down
 * (Algorithm 2), and ch. 7 what failures cost (Tables 1 and 2). Its two kinds of links are those of
 * Leitão, Pereira and Rodrigues, "Epidemic broadcast trees", 2007.
 */
package dev.braid.exchange.fttree;
