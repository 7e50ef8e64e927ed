/**
 * The contract of exchanges: the algorithms by which ranks share gradients.
 *
 * <p>An {@link dev.braid.exchange.Exchange} is one rank's part of such an algorithm, a state
 * machine without threads, clock or network. It receives the rank's own gradient, {@linkplain
 * dev.braid.exchange.message.Message messages} and deadlines, and acts through its {@link
 * dev.braid.exchange.Port}. A Flink operator, the simulator and a unit test therefore host the same
 * class.
 *
 * <pre>
 *              Contribution                                     send(Message)
 *   host ──────────────────────▶ ┌──────────┐ ──────────────────────────────▶ other ranks
 *        ──────Message─────────▶ │ Exchange │ ──update(Update)──▶ the model
 *        ──────deadline()──────▶ └──────────┘ ──wakeAt(nanos)───▶ the host's timer
 * </pre>
 *
 * <p>Every exchange is {@link dev.braid.exchange.Synchronous} or {@link
 * dev.braid.exchange.Asynchronous}; these interfaces describe the course of a checkpoint. An
 * exchange has optional abilities ({@link dev.braid.exchange.Serving}, {@link
 * dev.braid.exchange.Stateful}, {@link dev.braid.exchange.Measured}). It declares how it continues
 * when ranks are unreachable ({@link dev.braid.exchange.participation.Participation}).
 *
 * <p>Subpackages, in order of dependency: each depends only on those before it, and no family of
 * algorithms depends on another. This package depends on the first four:
 *
 * <ul>
 *   <li>{@code participation}: which ranks take part when some are unreachable
 *   <li>{@code state}: state of an exchange in checkpoints
 *   <li>{@code option}: options of an exchange
 *   <li>{@code message}: messages between ranks, and their form on the wire
 *   <li>{@code transport}: numbering, acknowledgement, windows, rerouting
 *   <li>{@code membership}: which ranks take part, and their progress
 *   <li>{@code collective}: sums from which several algorithms are composed
 *   <li>{@code compression}: compression of gradients before any exchange sends them
 *   <li>{@code runner}: hosts any exchange, on the transport and with the compression that it needs
 *   <li>{@code allreduce}, {@code fttree}, {@code server}, {@code async}, {@code sharing}, {@code
 *       coded}: the algorithms
 *   <li>{@code registry}: all exchanges by name
 * </ul>
 */
package dev.braid.exchange;
