/**
 * Messages over links that lose, repeat, delay and reorder them, or are cut.
 *
 * <p>{@link dev.braid.exchange.transport.Transport} numbers messages between two ranks, keeps each
 * until it is acknowledged, sends lost messages again, and searches for another route if a link
 * does not answer. A {@code Peer} is its knowledge of one other rank: outstanding messages within a
 * {@link dev.braid.exchange.transport.Window}, arrivals ({@code Arrivals}), the time-out of an
 * answer ({@code RoundTrip}, RFC 6298), and the route in use. A {@code RouteSearch} finds another
 * route, and a {@code Relay} forwards messages for other ranks. Every rollback and every view
 * begins a new numbering ({@code Generation}).
 *
 * <pre>
 *   send ─▶ Peer: waits, outstanding ─▶ link ─▶ Peer: arrivals ─▶ deliver, once
 *              ▲                                   │
 *              └───────── acknowledgement ◀────────┘
 * </pre>
 *
 * <p>{@link dev.braid.exchange.transport.Outbox} is for exchanges in which each rank goes its own
 * pace. It divides ranges into chunks and limits what is in flight to each peer, depending on the
 * response time ({@code Flight}). {@link dev.braid.exchange.transport.InOrder} delivers messages to
 * these exchanges in the order in which they were sent.
 *
 * <p>A port keeps one deadline for an exchange, but several of its parts may wait, such as its
 * transport. {@link dev.braid.exchange.transport.Deadlines} gives each part a deadline of its own.
 */
package dev.braid.exchange.transport;
