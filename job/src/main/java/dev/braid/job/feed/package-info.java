/**
 * The command {@code braid feed}, which writes samples into a Kafka topic.
 *
 * <p>A {@code FeedSource} supplies samples one after the other: {@code DataSetSource} those of a
 * data set, {@code SyntheticStream} those of a concept that may drift. A {@code RecordFormat} turns
 * a sample into the value of a record. {@link dev.braid.job.feed.FeedCommand} lets a {@code
 * FeedLoop} send them at their rate until they end, or until a signal arrives.
 *
 * <p>Imports {@code options}, for Kafka, {@code config}, for data, {@code result}, for JSON, and
 * {@code console}; no other command.
 */
package dev.braid.job.feed;
