/**
 * The durable log of a run on a topic: which offsets were dealt to which round, and the digests of
 * the models. {@link dev.braid.connectors.lineage.Lineage} is the log, in a folder or in a topic;
 * {@link dev.braid.connectors.lineage.RecordedRun} is what it says in the end.
 */
package dev.braid.connectors.lineage;
