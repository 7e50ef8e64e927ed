/**
 * Runs from a topic in virtual time, with the real {@link dev.braid.connectors.stream.Dealer}, the
 * real reader of records, the real publication of versions and the real choice of the version that
 * scores. The topic, its lineage, the disk, the readers' rounds and Flink's checkpoints are
 * simulated.
 *
 * <pre>
 *   SimulatedStream ──one at a time──▶ StreamAttempt ──▶ StreamWorker, one for each reader
 *     topic, lineage, time              Dealer               │ batches
 *          ├──────────────────────────────┴───────────▶ StreamChecks
 *          └──▶ StreamVersions: publisher, scoring job, administrator
 * </pre>
 *
 * <p>{@code bench/search} draws such runs among others.
 */
package dev.braid.chaos.sim.stream;
