/**
 * Gradient sharing: each rank applies its own gradient at once, and sends it to all others along a
 * tree, mostly compressed, as an update with an id of its own (Deeplearning4j, "Distributed
 * training: technical explanation").
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
 * <p>An update's id is its origin and the origin's round. Of each origin a rank has the first so
 * many parts of updates, without a gap, so that one number for each origin says all of it ({@code
 * UpdateLog}). What comes is new where it is the next part, and is discarded where it is here
 * already. What some rank may lack is kept, as the bytes that it came in.
 *
 * <h2>Within a view</h2>
 *
 * <p>A view says who takes part ({@link dev.braid.exchange.participation.View}), and its tree
 * follows from that alone ({@code RelayTree}). {@code UpdateRelay} is what goes over its links:
 *
 * <pre>
 *   Has(origin, parts)      as a link opens: what the sender has. The other sends what it lacks
 *   SharedUpdate            to each neighbour that lacks it, in order, as many under way as the
 *                           link bears
 *   SideHas(origin, parts)  towards the origin: all on this side have so many
 *   AllHave(origin, parts)  from the origin: all have so many, and nobody need keep them
 * </pre>
 *
 * <p>A rank waits when it is ahead of the slowest by more than 1 + τ gradients, with τ the
 * staleness; and when it has more than 2 (1 + τ) + 4 that are not everywhere, so that a slow link
 * bounds what is kept ({@code SharingLimits}).
 *
 * <h2>When a rank fails</h2>
 *
 * <p>Whoever waits asks its neighbours twice a second whether they are there: the heartbeat ({@code
 * SharingMember}). Of a rank that is silent the arbiter is told, and makes a view without it. One
 * of its children is mapped to the master, and the others to that one; where the master fails, one
 * of its children is the master. Links of a new view open as above, and each rank sends what its
 * new neighbours lack: whatever not all had, all that went on keep.
 *
 * <p>A rank that is back is a leaf below the master. It asks for the master's model, with the
 * updater's state and the number of its steps, and gets, in this order, what that has of each
 * origin; the parts that somebody may lack, so that it can answer for them as the master can; the
 * model; and all that comes from then on. Its own parts that the copy lacks it applies once more,
 * and relays. Up to then its neighbours count it as one that has nothing: so all that has come to
 * the master since the copy was taken is kept, and one copy is enough for all that are back, also
 * where the view changes before it is whole ({@code ServedCopies}).
 *
 * <h2>At a checkpoint</h2>
 *
 * <p>A rank is quiet when all ranks have all of its updates, and no rank is left out: then nothing
 * that counts is in flight, whoever relays. While one is left out, or waits for a copy, checkpoints
 * are declined, and the end waits. Each rank's own model is saved, with its clocks; residuals are
 * the compression's. What may still be in flight, that all have something and that it has come, is
 * dropped as ranks go on; all have the same then, and links begin anew, as in a run's first view.
 *
 * <h2>Other than in the source</h2>
 *
 * <p>Gradients are shared, and each rank's own updater makes steps of them, in other orders, so
 * that replicas are close and not the same; there, updates are. So momentum would be behind what
 * comes late: by default it is at each rank, and in what is shared, as there ({@code
 * SharingDescriptor}). The master trains, and its role passes on; there, the run ends with it. Each
 * update counts once; there, a few batches may count twice.
 */
package dev.braid.exchange.sharing;
