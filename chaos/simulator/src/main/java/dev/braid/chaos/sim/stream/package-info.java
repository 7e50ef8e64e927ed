/**
 * Runs from a topic in virtual time, with the real {@link dev.braid.connectors.stream.Dealer} and
 * the real readers of records. The topic, its lineage, the readers' rounds and Flink's checkpoints
 * are simulated.
 *
 * <pre>
 *   SimulatedStream ──one at a time──▶ StreamAttempt ──▶ StreamWorker, one for each reader
 *     topic, lineage, time              Dealer               │ batches
 *          └──────────────────────────────┴───────────▶ StreamChecks
 * </pre>
 *
 * <p>{@code bench/search} draws such runs among others.
 */
package dev.braid.chaos.sim.stream;
