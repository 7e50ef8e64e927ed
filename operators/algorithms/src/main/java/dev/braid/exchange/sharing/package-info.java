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
 * <p>A rank has the first parts of each origin's updates, without a gap, so that one number for
 * each origin describes what it has ({@code UpdateLog}). Parts that some rank may lack are kept, as
 * the bytes in which they arrived. The page {@code docs/explanation/asynchronous-exchanges.md}
 * explains codecs, momentum, bounds, exclusion and rejoin, and the differences from the source.
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
 * <p>A rank that waits at its bound ({@code SharingLimits}) asks its neighbours for a heartbeat
 * ({@link dev.braid.exchange.membership.ViewMember}), and reports a silent rank to the arbiter.
 * {@code RelayTree} shows the tree of the next view. When its links open, each rank sends what its
 * new neighbours lack: every rank that continues has kept all parts that some rank may lack.
 *
 * <p>A rank that rejoins asks for the master's model, with the updater's state and its number of
 * steps. The master sends, in this order: how many parts of each origin the model has; the parts
 * that some rank may lack, so that the rejoining rank can send them as the master can; the model
 * ({@code ServedCopies}); and all updates from then on. The rejoining rank then applies and relays
 * those of its own parts that the copy lacks. Until then its neighbours treat it as a rank that has
 * nothing. Therefore everything that the master has received since the copy was made is kept.
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>A rank is quiet if all ranks have all of its updates and no rank is left out. No relevant
 * message is in flight then, whichever rank relays. The checkpoint contains each rank's own model
 * and its clocks; compression saves its residuals. Reports and acknowledgements may still be in
 * flight, and are dropped when ranks continue. All ranks have the same updates then, and links
 * start again as in a run's first view.
 */
package dev.braid.exchange.sharing;
