/**
 * Samples from any Flink stream. Each sample is used exactly once, but samples have no positions
 * from which they could be read again. {@link dev.braid.api.flow.FlowOperator} therefore keeps in
 * its state the records that no round has consumed.
 */
package dev.braid.api.flow;
