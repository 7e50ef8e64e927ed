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
 * uncle, and only the brother's way.
 *
 * <p>This is ch. 6 of a dissertation on training that is decentralised and fault-tolerant, cited as
 * <em>fault-tolerant tree</em>: §6.1 (Figure 7) has the links, §6.2 the way up (Algorithm 1), §6.3
 * the way down (Algorithm 2), and ch. 7 what failures cost (Tables 1 and 2). Its two kinds of links
 * are those of Leitão, Pereira and Rodrigues, "Epidemic broadcast trees", 2007.
 *
 * <p>{@link dev.braid.exchange.fttree.FaultTolerantTree} is that algorithm: brother and uncle hear
 * by metadata that a sum was sent, and that it has come, and step in after a fixed time-out ({@code
 * Watch}). {@link dev.braid.exchange.fttree.BraidedTree} is what Braid makes of it, and what {@code
 * ft-tree} runs, unless fixed time-outs are asked for ({@code --link-timeout}):
 *
 * <ul>
 *   <li>a transport finds ways around failed links by itself, and keeps them
 *   <li>a rank whose link to its parent stays down sends its sum to its brother, who adds it to his
 *       own and sends both to the parent as one ({@code UpwardSums})
 *   <li>a rank to which no way is left is left out of the view: the tree is that of the view's
 *       members ({@code ViewTree}), and each view has rounds of its own ({@code ViewRounds})
 * </ul>
 *
 * <p>Both keep a round's sums in a {@code TreeReduction}, which takes each subtree's sum once,
 * whatever way it came; so the bits are those of the tree without faults. What a checkpoint asks of
 * them, in which order, is told at {@link dev.braid.exchange.Synchronous}.
 */
package dev.braid.exchange.fttree;
