/**
 * Parameter servers: each server keeps a range of the model and of the updater's state ({@code
 * ServerLayout}). Servers are dedicated ranks, or every worker is one.
 *
 * <p>{@link dev.braid.exchange.server.SynchronousServers}: workers push their gradients; a server
 * adds them up in the order of the ranks, takes one step, and sends the weights to all workers
 * ({@code SynchronousServer}; Ako §2.2).
 *
 * <p>{@link dev.braid.exchange.server.AsynchronousServers}: a server takes a step for each gradient
 * on arrival ({@code AsynchronousServer}), and a worker pulls the weights before it continues
 * ({@code PullingWorker}). Workers are arbitrarily far apart (Downpour) or within a bound (stale
 * synchronous parallel).
 */
package dev.braid.exchange.server;
