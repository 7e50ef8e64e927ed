/**
 * Samples from a Kafka topic, without end: who trains on which offsets, and how that is known for
 * good.
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
 * <p>A {@link dev.braid.connectors.lineage.Deal} says which offsets the workers use in some
 * successive rounds. It follows from the deals before it and from where partitions end, and it is
 * in the lineage before a worker sees it. So a round that is done again, after whatever failure,
 * has the same samples; and the topic and the lineage are enough to recompute the model after any
 * round. (Spark Structured Streaming's offset log is the ancestor of this.)
 *
 * <p>An enumerator that resumes appends an entry first. One that was replaced and does not know of
 * it can append no more, so that deals follow each other whatever processes are still alive. A
 * lineage in a topic refuses its entries by Kafka's transactions, and one in a folder by the
 * numbers of files.
 *
 * <p>A checkpoint has the round of each worker, and what was dealt and may be needed again. With
 * another number of workers, what was dealt and not used is dealt again, from the first round that
 * no worker had begun.
 */
package dev.braid.connectors.stream;
