/**
 * Who takes part, and how far each rank is.
 *
 * <p>A synchronous exchange needs all ranks to agree on who is there. Its ranks tell one {@link
 * dev.braid.exchange.membership.Arbiter}, over a control plane that links' failures do not touch,
 * whom they hear ({@link dev.braid.exchange.membership.Lookout}), and enter {@linkplain
 * dev.braid.exchange.View views} in one order; a rank that is back gets a {@link
 * dev.braid.exchange.membership.ReplicaCopy}.
 *
 * <p>An asynchronous one needs no agreement, only that a minority does not go on by itself: each
 * rank's {@link dev.braid.exchange.membership.RollCall} asks who answers, and tells the exchange
 * ({@link dev.braid.exchange.membership.Attendance}) whom not to wait for. How far ahead of the
 * others a rank may be is kept in {@link dev.braid.exchange.membership.StalenessClocks} (Ako §3.3).
 */
package dev.braid.exchange.membership;
