/**
 * Tree allreduce that goes around failed links (<em>fault-tolerant tree</em>, ch. 6): each rank has
 * links to its parent, its brother and its uncle.
 *
 * <pre>
 *            root
 *           /    \
 *        uncle ── parent        backup links: ──
 *                 /    \
 *             rank ──── brother
 * </pre>
 *
 * <p>{@link dev.braid.exchange.fttree.FaultTolerantTree} is the paper's algorithm: brother and
 * uncle hear by metadata that a sum was sent, and that it has come, and step in after a fixed
 * time-out ({@code Watch}). {@link dev.braid.exchange.fttree.BraidedTree} is what Braid makes of
 * it: a transport finds ways around failed links by itself and keeps them, a rank whose link to its
 * parent stays down sends its sum to its brother, who adds it to his own and sends both to the
 * parent as one ({@code UpwardSums}), and one to which no way is left is left out of the view. It
 * is what {@code ft-tree} runs, unless fixed time-outs are asked for ({@code --link-timeout}). Both
 * keep a round's sums in a {@code TreeReduction}, which takes each subtree's sum once, whatever way
 * it came; so the bits are those of the tree without faults.
 */
package dev.braid.exchange.fttree;
