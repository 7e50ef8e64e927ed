/**
 * Messages over links that lose, repeat, delay and reorder them, or are cut.
 *
 * <p>{@link dev.braid.exchange.transport.Transport} numbers messages between two ranks, keeps each
 * until it is acknowledged, sends again what was lost, and searches another way where a link does
 * not answer. What it knows of each other rank is in a {@code Peer}: what is outstanding, within a
 * {@link dev.braid.exchange.transport.Window}; what has arrived ({@code Arrivals}); after how long
 * an answer is overdue ({@code RoundTrip}, RFC 6298); and the way in use. A {@code WaySearch} finds
 * another ({@code Floods} stops searches that have been here), and a {@code Relay} passes on what
 * is for others. Every roll-back and every view begins a new numbering ({@code Generation}).
 *
 * <pre>
 *   send ─▶ Peer: waits, outstanding ─▶ link ─▶ Peer: arrivals ─▶ deliver, once
 *              ▲                                   │
 *              └───────── acknowledgement ◀────────┘
 * </pre>
 *
 * <p>{@link dev.braid.exchange.transport.Outbox} is for exchanges in which each rank goes its own
 * pace: it cuts ranges into chunks and bounds what is under way to each peer, by how late answers
 * are ({@code Flight}). {@link dev.braid.exchange.transport.InOrder} gives them messages in the
 * order in which they were sent.
 *
 * <p>A port keeps one deadline for an exchange of which several parts wait, its transport for one:
 * {@link dev.braid.exchange.transport.Deadlines} gives each a deadline of its own. A {@link
 * dev.braid.exchange.transport.TransportPort} has operations that know of no transport send through
 * one.
 */
package dev.braid.exchange.transport;
