/**
 * What lasts of an exchange beyond a round, in checkpoints.
 *
 * <p>An exchange's descriptor declares each {@link dev.braid.exchange.state.StateKind}: its name,
 * its version, and what becomes of it at another number of ranks. A rank's exchange has a {@link
 * dev.braid.exchange.state.LastingState} for each, which writes it while the rank is quiet, and
 * reads it back before anything else happens. A state that is a vector of the model's length, such
 * as a residual, is written as {@link dev.braid.exchange.state.StateVectors} have it, so that the
 * worker can add up those of several ranks.
 *
 * <pre>
 *   descriptor   StateKind(name, version, rescaling)      before there is an exchange
 *   exchange     LastingState(kind, writer, reader)       at each rank
 *   checkpoint   name ─▶ bytes, of each rank; StateFormat says of which exchange
 * </pre>
 *
 * <p>{@link dev.braid.exchange.state.StateFormat} decides whose states a run can read, and {@link
 * dev.braid.exchange.state.StateReader} refuses numbers that no exchange writes: a checkpoint is a
 * file that somebody else may have handed over.
 */
package dev.braid.exchange.state;
