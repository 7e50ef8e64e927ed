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
 * ({@code --link-timeout}): there brother and uncle hear by metadata that a sum was sent, and that
 * it has come, and step in after a fixed time-out ({@code Watch}).
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
 * <td>{@link dev.braid.exchange.fttree.BraidedTree}, with the dialogue that is drawn in {@link
 * dev.braid.exchange.participation}</td></tr>
 * <tr><td>a checkpoint</td><td>{@link dev.braid.exchange.Synchronous}</td></tr>
 * </table>
 *
 * <p>What these stand on need not be read first: a {@code TreeReduction} keeps a round's sums and
 * takes each subtree's once, whatever way it came; a {@code ViewTree} says who is whose child; a
 * {@link dev.braid.exchange.transport.Transport} brings messages to their receivers.
 *
 * <h2>When a link is cut</h2>
 *
 * <ol>
 *   <li><b>An acknowledgement is overdue</b>, by the round trips that were measured: the sender
 *       asks along the way in use. No answer either: it asks all its neighbours, who ask theirs and
 *       so on, for a way ({@link dev.braid.exchange.transport.Transport}). What was lost goes
 *       again, by the cheapest way that is found: up through the uncle, or, without one, through
 *       the brother; down through the brother, who has the same sum for himself, so that he is sent
 *       no values twice and puts in his own. The way is kept, and the link itself is tried now and
 *       again.
 *   <li><b>The next round but one</b>: as long as the link to the parent is down and that to the
 *       brother is not, the rank's sums go to the brother, who sends one vector for both.
 *   <li><b>Nobody finds a way to a rank</b> for a second and more: it is silent, and the ranks that
 *       miss it tell the arbiter. There is one, in the job's coordinator; ranks reach it over a
 *       control plane that links' failures do not touch, those that are cut off, too. It has all
 *       ranks find out who is heard, stops them, and has them enter a view, perhaps of a part of
 *       the ranks: the largest part that has the model goes on, even if it is less than half, and
 *       with another root if 0 is not in it. The round under way begins again there, with the same
 *       gradients. Rounds go on counting; of another view nothing else counts.
 *   <li><b>Meanwhile</b> a rank that is left out computes nothing, and its batches are not used. It
 *       asks its neighbours again and again whether a link works both ways. When one does, it
 *       enters the next view, gets a copy of a member's replica, for which the others' round waits,
 *       and computes.
 * </ol>
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
