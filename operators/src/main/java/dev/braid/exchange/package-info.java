/**
 * The contract of exchanges: the algorithms by which ranks share gradients.
 *
 * <p>An {@link dev.braid.exchange.Exchange} is one rank's part of such an algorithm, a state
 * machine without threads, clock or network: it is told of the rank's own gradient, of a
 * {@linkplain dev.braid.exchange.message.Message message} or of a deadline, and answers through its
 * {@link dev.braid.exchange.Port}. So a Flink operator, the simulator and a unit test host the same
 * class.
 *
 * <pre>
 *              Contribution                                     send(Message)
 *   host ──────────────────────▶ ┌──────────┐ ──────────────────────────────▶ other ranks
 *        ──────Message─────────▶ │ Exchange │ ──update(Update)──▶ the model
 *        ──────deadline()──────▶ └──────────┘ ──wakeAt(nanos)───▶ the host's timer
 * </pre>
 *
 * <p>It is {@link dev.braid.exchange.Synchronous} or {@link dev.braid.exchange.Asynchronous}, where
 * the course of a checkpoint is told; what only some are besides ({@link
 * dev.braid.exchange.Serving}, {@link dev.braid.exchange.Stateful}, {@link
 * dev.braid.exchange.Measured}) a host finds through {@link dev.braid.exchange.HostedExchange}. How
 * it goes on when ranks are cut off, it declares ({@link
 * dev.braid.exchange.participation.Participation}).
 *
 * <p>Packages below, each on those before it, and no family of algorithms on another. This package
 * stands on the first four:
 *
 * <ul>
 *   <li>{@code participation}: who takes part when ranks are cut off, as exchanges declare it
 *   <li>{@code state}: what lasts of an exchange in checkpoints
 *   <li>{@code option}: what users may choose of an exchange
 *   <li>{@code message}: what ranks say to each other, and its form on the wire
 *   <li>{@code transport}: numbers, acknowledgements, windows, other ways around a link
 *   <li>{@code membership}: who takes part, and how far each is
 *   <li>{@code collective}: sums that several algorithms are made of
 *   <li>{@code compression}: gradients made smaller before any exchange sends them
 *   <li>{@code allreduce}, {@code fttree}, {@code server}, {@code async}, {@code sharing}, {@code
 *       coded}: the algorithms
 *   <li>{@code registry}: all of them by name, each on the transport that its links need
 * </ul>
 */
package dev.braid.exchange;
