/**
 * The durable log of a run on a topic: the offsets that were dealt to each round, and the digests
 * of the models. {@link dev.braid.connectors.lineage.Lineage} is the log, in a folder or in a
 * topic. {@link dev.braid.connectors.lineage.RecordedRun} is its final contents.
 */
package dev.braid.connectors.lineage;
