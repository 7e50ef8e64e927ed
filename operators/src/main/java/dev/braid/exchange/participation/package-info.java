/**
 * Who takes part in rounds when ranks are cut off, as an exchange has it: what it declares, and the
 * contracts that go with it.
 *
 * <p>A rank that does not answer may be dead, slow, or behind a link that is cut, and nobody can
 * tell which (Chandra and Toueg, "Unreliable failure detectors for reliable distributed systems",
 * 1996). So whether others wait for it is a decision, and exchanges differ in who may make it. Each
 * declares a {@link dev.braid.exchange.participation.Participation}:
 *
 * <pre>
 *   Participation
 *     OfAll        nobody decides: all ranks are waited for
 *     InViews      one arbiter for all    ──▶ Elastic      handle(ViewMessage.ToRank), view()
 *     ByRollCall   each rank for itself   ──▶ Attendance   absent(rank), back(rank)
 * </pre>
 *
 * <p>A synchronous round needs the same ranks everywhere, so its ranks agree first, as members of a
 * group do (Birman and Joseph, "Exploiting virtual synchrony in distributed systems", 1987). A
 * {@link dev.braid.exchange.participation.View} says who takes part from one round on, and views
 * are entered in one order:
 *
 * <pre>
 *   rank    ──Silent, Reachable──▶        arbiter
 *           ◀──Call, Listen──                      who answers, who is heard?
 *           ──Here, Heard────▶
 *           ◀──Stop──────────                      no round ends from now on
 *           ──Stopped────────▶                     the rounds that it has completed
 *           ◀──Enter(View)───                      go on, with these, from this round
 * </pre>
 *
 * <p>{@link dev.braid.exchange.participation.ViewMessage} is what they say, over a control plane
 * that links' failures do not touch. What a rank says goes through its {@link
 * dev.braid.exchange.participation.ViewPort}, as does the copy of the model with which one that was
 * left out comes back.
 *
 * <p>Here is only what exchanges and their hosts have to know of each other. The arbiter, the roll
 * call and what finds out who is heard are in {@code membership}.
 *
 * <p>Who takes part with which samples may change, too, where an exchange says so between epochs:
 * {@link dev.braid.exchange.participation.Planning}.
 */
package dev.braid.exchange.participation;
