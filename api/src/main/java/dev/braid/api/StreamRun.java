package dev.braid.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * A training on a stream, as part of a job.
 *
 * @param run the training
 * @param refused records that the encoder refused, each with the reason
 */
@PublicEvolving
public record StreamRun<T>(TrainingRun run, DataStream<Tuple2<T, String>> refused) {}
