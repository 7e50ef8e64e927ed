/**
 * State of an exchange that outlives a round, in checkpoints.
 *
 * <p>An exchange's descriptor declares each {@link dev.braid.exchange.state.StateKind}: its name,
 * its version, and how it is processed for another number of ranks. A rank's exchange has one
 * {@link dev.braid.exchange.state.LastingState} per kind, which writes the state while the rank is
 * quiet and reads it back before anything else happens. A state that is a vector of the model's
 * length, such as a residual, has the form of {@link dev.braid.exchange.state.StateVectors}, so
 * that the worker can add up the vectors of several ranks.
 *
 * <pre>
 *   descriptor   StateKind(name, version, rescaling)      before an exchange exists
 *   exchange     LastingState(kind, writer, reader)       at each rank
 *   checkpoint   name ─▶ bytes, for each rank; StateFormat names the exchange
 * </pre>
 *
 * <p>{@link dev.braid.exchange.state.StateFormat} decides which states a run can read. {@link
 * dev.braid.exchange.state.StateReader} rejects numbers that no exchange writes, because a
 * checkpoint is a file that may come from an untrusted source.
 */
package dev.braid.exchange.state;
