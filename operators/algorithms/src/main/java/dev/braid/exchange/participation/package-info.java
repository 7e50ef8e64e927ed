/**
 * Participation in rounds when ranks are unreachable, as exchanges see it: what they declare, and
 * the contracts that follow.
 *
 * <p>A rank that does not answer may be dead, slow, or behind a link that is cut, and no other rank
 * can tell which (Chandra and Toueg, "Unreliable failure detectors for reliable distributed
 * systems", 1996). So whether others wait for it is a decision, and exchanges differ in who may
 * make it. Each declares a {@link dev.braid.exchange.participation.Participation}:
 *
 * <pre>
 *   Participation
 *     OfAll        no decision: all ranks are waited for
 *     InViews      one arbiter for all    ──▶ Elastic      handle(ViewMessage.ToRank), view()
 *     ByRollCall   each rank for itself   ──▶ Attendance   absent(rank), back(rank)
 * </pre>
 *
 * <p>A synchronous round needs the same ranks everywhere, so its ranks agree first, as members of a
 * group do (Birman and Joseph, "Exploiting virtual synchrony in distributed systems", 1987). A
 * {@link dev.braid.exchange.participation.View} defines which ranks take part from one round on.
 * All ranks enter views in the same order:
 *
 * <pre>
 *   rank    ──Silent, Reachable──▶        arbiter
 *           ◀──Call, Listen──                      who answers, who is heard?
 *           ──Here, Heard────▶
 *           ◀──Stop──────────                      no round ends from now on
 *           ──Stopped────────▶                     the rounds that it has completed
 *           ◀──Enter(View)───                      continue with these ranks, from this round
 * </pre>
 *
 * <p>These messages ({@link dev.braid.exchange.participation.ViewMessage}) use a control plane that
 * link failures do not affect. A rank sends them through its {@link
 * dev.braid.exchange.participation.ViewPort}. The port also receives notice of the copy of the
 * model with which an excluded rank rejoins.
 *
 * <p>This package contains only what exchanges and their hosts must know of each other. The
 * arbiter, the roll call and the detection of which ranks are heard are in {@code membership}.
 *
 * <p>The assignment of samples to ranks may change as well, between epochs: {@link
 * dev.braid.exchange.participation.Planning}.
 */
package dev.braid.exchange.participation;
