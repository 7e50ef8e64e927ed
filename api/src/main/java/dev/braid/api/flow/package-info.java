/**
 * Samples from a stream of Flink's, whatever its source is. Each is used exactly once, but they
 * have no positions that could be read again: {@link dev.braid.api.flow.FlowOperator} keeps in its
 * state what no round has used up.
 */
package dev.braid.api.flow;
