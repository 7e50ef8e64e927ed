/**
 * Gradient sharing: each rank applies its own gradient at once and sends it to all others along a
 * tree, usually compressed, as an update with its own id (Deeplearning4j, "Distributed training:
 * technical explanation").
 *
 * <pre>
 *        plain mode                         mesh mode
 *
 *     1   2   3   4                    0
 *      \  |   |  /                   / | \          at most 8 children a rank, 5 levels;
 *       \ |   | /                   1  2  3         updates go along each link both ways
 *          0  the master          / |  |
 *                                4  5  6
 * </pre>
 *
 * <h2>What a rank has</h2>
 *
 * <p>An update's id is its origin and the origin's round. A rank has the first parts of each
 * origin's updates, without a gap, so that one number for each origin describes what it has ({@code
 * UpdateLog}). An arriving part is new if it is the next one; a part that the rank already has is
 * discarded. Parts that some rank may lack are kept, as the bytes in which they arrived.
 *
 * <h2>Within a view</h2>
 *
 * <p>A view states which ranks take part ({@link dev.braid.exchange.participation.View}), and
 * determines its tree ({@code RelayTree}). {@code UpdateRelay} sends these messages over the tree's
 * links:
 *
 * <pre>
 *   Has(origin, parts)      when a link opens: what the sender has; the receiver sends the rest
 *   SharedUpdate            to each neighbour that lacks it, in order, as many in flight as the
 *                           link's capacity allows
 *   SideHas(origin, parts)  towards the origin: all ranks on this side have so many parts
 *   AllHave(origin, parts)  from the origin: all ranks have so many parts and need not keep them
 * </pre>
 *
 * <p>A rank waits if it is more than 1 + τ gradients ahead of the slowest, where τ is the
 * staleness. It also waits if more than 2 (1 + τ) + 4 of its updates are missing at some rank. This
 * bounds the number of kept updates even on a slow link ({@code SharingLimits}).
 *
 * <h2>When a rank fails</h2>
 *
 * <p>A rank that waits asks its neighbours twice a second whether they are there: the heartbeat. It
 * reports a silent rank to the arbiter, which makes a view without that rank ({@link
 * dev.braid.exchange.membership.ViewMember}). One of the failed rank's children is mapped to the
 * master, and the other children are mapped to that child. If the master fails, one of its children
 * becomes the master. The links of the new view open as described above, and each rank sends what
 * its new neighbours lack: every rank that continues has kept all parts that some rank may lack.
 *
 * <p>A rank that rejoins is a leaf below the master. It asks for the master's model, with the
 * updater's state and its number of steps. The master sends, in this order: how many parts of each
 * origin the model has; the parts that some rank may lack, so that the rejoining rank can send them
 * as the master can; the model; and all updates from then on. The rejoining rank then applies and
 * relays those of its own parts that the copy lacks. Until then its neighbours treat it as a rank
 * that has nothing. Therefore everything that the master has received since the copy was made is
 * kept. One copy suffices for all rejoining ranks, even if the view changes before the copy is
 * complete ({@code ServedCopies}).
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>A rank is quiet if all ranks have all of its updates and no rank is left out. No relevant
 * message is in flight then, whichever rank relays. While a rank is left out or waits for a copy,
 * checkpoints are declined and training does not end. The checkpoint contains each rank's own model
 * and its clocks; compression saves its residuals. Reports and acknowledgements may still be in
 * flight, and are dropped when ranks continue. All ranks have the same updates then, and links
 * start again as in a run's first view.
 *
 * <h2>Differences from the source</h2>
 *
 * <p>Here gradients are shared, and each rank's own updater makes steps of them in its own order,
 * so that replicas are close but not identical. In the source, updates are shared. Momentum would
 * therefore be applied after late updates have arrived. By default it is instead applied at each
 * rank to what it sends, as in the source ({@code SharingDescriptor}). Here the master trains, and
 * its role is passed on if it fails; in the source the run ends with it. Here each update counts
 * once; in the source a few batches may count twice.
 */
package dev.braid.exchange.sharing;
