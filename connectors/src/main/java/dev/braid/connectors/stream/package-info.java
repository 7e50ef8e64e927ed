/**
 * Samples from a Kafka topic, without end: the dealing of offsets to workers, and its durable
 * record.
 *
 * <pre>
 *   StreamSource
 *      │ on the JobManager                      │ at each worker
 *      ▼                                        ▼
 *   StreamEnumerator ──DealtShare────▶ StreamReader ──Batch──▶ Worker
 *      │ Dealer, DealBook: what is dealt  │  ▲                    │
 *      │ TopicOffsets: where topics end   │  └──── SourceGate ────┘ a credit for each batch
 *      ▼                                  ▼
 *   Lineage: what was dealt          BatchFetcher: TopicRecords, BatchBuilder, DeadLetters
 * </pre>
 *
 * <p>A {@link dev.braid.connectors.lineage.Deal} depends only on the earlier deals and on the ends
 * of partitions. The page {@code docs/explanation/streams.md} explains deals and the lineage. (The
 * design follows Spark Structured Streaming's offset log.)
 *
 * <p>An enumerator that resumes first appends an entry. A replaced enumerator that does not know
 * this entry can then append no more, so that deals follow each other whichever processes are still
 * alive. A lineage in a topic rejects its entries by Kafka's transactions, and one in a folder by
 * the numbers of files.
 *
 * <p>A checkpoint contains the round of each worker, and the deals that may be needed again. With
 * another number of workers, offsets that were dealt and not used are dealt again, from the first
 * round that no worker had begun.
 */
package dev.braid.connectors.stream;
