/**
 * Parameter servers: each keeps a range of the model and of the updater's state ({@code
 * ServerLayout}), at ranks of their own or at each worker.
 *
 * <p>{@link dev.braid.exchange.server.SynchronousServers}: workers push their gradients, the server
 * adds them up in the order of the ranks, takes one step, and sends the weights to all ({@code
 * SynchronousServer}; Ako §2.2).
 *
 * <p>{@link dev.braid.exchange.server.AsynchronousServers}: a server takes a step for each gradient
 * as it comes ({@code AsynchronousServer}), and a worker pulls the weights before it goes on
 * ({@code PullingWorker}): as far ahead as it likes (Downpour), or by a bound (stale synchronous
 * parallel).
 */
package dev.braid.exchange.server;
