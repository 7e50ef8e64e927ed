package dev.braid.connectors.stream;

import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.record.SampleDecoder;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.OffsetRange;
import dev.braid.learner.Origin;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Builds a batch from the records of a range of offsets: samples to train on, samples that are only
 * scored, and the number of records that are neither. An instance belongs to one thread.
 */
final class BatchBuilder {

  /**
   * A prime number, so that offsets of different partitions have different ids as far as the range
   * of an int allows.
   */
  private static final int PARTITION_STEP = 1_000_003;

  /** Selects the records that are used. */
  @FunctionalInterface
  interface Selection {

    /** Returns whether the record at an offset is used. */
    boolean has(int partition, long offset);
  }

  /** Receives records that are not valid samples. */
  interface Refusals {

    /** Receives a record, and the reason why it is not a valid sample. */
    void add(ConsumerRecord<byte[], byte[]> record, String reason);
  }

  /** Samples of one kind, row after row. */
  private final class Rows {
    private final float[] features = new float[batchSize * shape.features()];
    private final float[] targets = new float[batchSize * targetWidth()];
    private final float[] weights = new float[isWeighted ? batchSize : 0];
    private final int[] ids = new int[batchSize];
    private final int[] partitions = new int[batchSize];
    private final long[] offsets = new long[batchSize];
    private final long[] timestamps = new long[batchSize];
    private int count;

    private Features features() {
      return Features.fitting(shape.features(), Arrays.copyOf(features, count * shape.features()));
    }

    private Targets targets() {
      Targets plain = Targets.of(shape, Arrays.copyOf(targets, count * targetWidth()));
      return isWeighted ? plain.weighted(Arrays.copyOf(weights, count)) : plain;
    }
  }

  private final Shape shape;
  private final boolean isWeighted;
  private final int batchSize;
  private final int window;
  private final SampleDecoder decoder;
  private final Refusals refusals;
  private final Selection selection;
  private final boolean isProgressive;
  private final Rows train;
  private final Rows held;
  private int refused;

  /**
   * Creates a builder.
   *
   * @param batchSize highest number of records in a batch
   * @param selection selects the records that are used
   */
  BatchBuilder(StreamConfig config, int batchSize, Selection selection, Refusals refusals) {
    this.shape = config.form().shape();
    this.isWeighted = config.form().isWeighted();
    this.batchSize = batchSize;
    this.selection = selection;
    this.window = config.windows().rounds();
    this.decoder = config.form().decoder();
    this.refusals = refusals;
    this.isProgressive = config.form().holdout() == 0;
    this.train = new Rows();
    this.held = new Rows();
  }

  private int targetWidth() {
    return shape.hasValues() ? shape.outputs() : 1;
  }

  /**
   * Builds a batch.
   *
   * @param round round of the batch, from 0
   * @param offsets at most {@code batchSize} offsets
   * @param records the records of these offsets, in order
   */
  Batch batch(long round, List<OffsetRange> offsets, List<ConsumerRecord<byte[], byte[]>> records) {
    train.count = 0;
    held.count = 0;
    refused = 0;
    records.forEach(this::add);
    return new Batch(
            Math.toIntExact(round / window),
            Arrays.copyOf(train.ids, train.count),
            train.features(),
            train.targets(),
            (round + 1) % window == 0)
        .from(
            new Origin(
                offsets,
                held.features(),
                held.targets(),
                Arrays.copyOf(train.timestamps, train.count),
                refused,
                isProgressive));
  }

  /** Returns the offsets of the last batch's training samples, in order. */
  List<OffsetRange> samples() {
    return IntStream.range(0, train.count)
        .mapToObj(i -> range(train.partitions[i], train.offsets[i]))
        .toList();
  }

  private static OffsetRange range(int partition, long offset) {
    return new OffsetRange(partition, offset, offset + 1);
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    if (!selection.has(record.partition(), record.offset())) {
      return;
    }
    // The record is decoded into the next training row, and moved if it is held out.
    int row = train.count;
    try {
      switch (decoder.decode(
          record.key(),
          record.value(),
          train.features,
          row * shape.features(),
          train.targets,
          row * targetWidth(),
          train.weights,
          row)) {
        case TRAIN -> {
          train.ids[row] = id(record);
          train.partitions[row] = record.partition();
          train.offsets[row] = record.offset();
          train.timestamps[row] = record.timestamp();
          train.count++;
        }
        case HELD_OUT -> {
          copy(row);
          held.count++;
        }
        case LEFT_OUT -> {}
      }
    } catch (InvalidRecordException e) {
      refused++;
      refusals.add(record, e.getMessage());
    }
  }

  private void copy(int row) {
    int width = shape.features();
    System.arraycopy(train.features, row * width, held.features, held.count * width, width);
    int targets = targetWidth();
    System.arraycopy(train.targets, row * targets, held.targets, held.count * targets, targets);
    if (isWeighted) {
      held.weights[held.count] = train.weights[row];
    }
  }

  private static int id(ConsumerRecord<byte[], byte[]> record) {
    return (int) record.offset() + PARTITION_STEP * record.partition();
  }
}
