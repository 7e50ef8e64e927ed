package dev.braid.run.scoring;

import dev.braid.connectors.record.InvalidRecordException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Collects records and scores them together, in their order, with the versions that are in service.
 * An instance belongs to one thread.
 *
 * @param <T> the records
 */
public final class RecordScorer<T> implements AutoCloseable {

  /** Maximum number of features in a batch, which bounds its memory. */
  private static final int MAX_NUMBERS = 1 << 24;

  /** Receives scored records. */
  @FunctionalInterface
  public interface Sink<T> {

    /**
     * Takes a record, which is the one that was added, and its score.
     *
     * @param names names of the scores: of classes or of values; those of values may be empty
     */
    void scored(StreamRecord<T> record, RecordScore score, List<String> names);
  }

  /** A version in service, and the samples that it will score. */
  private static final class Rows<T> {
    final ServedModel<T> model;
    final int width;
    final int capacity;
    final float[] features;
    int rows;
    float[] outputs = {};

    Rows(ServedModel<T> model, int batchSize) {
      this.model = model;
      this.width = model.reader().shape().features();
      this.capacity = capacity(batchSize, width);
      this.features = new float[capacity * width];
    }

    void read(T value) {
      model.reader().read(value, features, rows * width);
    }

    /** Returns the numbers that {@link #read} has written. */
    byte[] lastRead() {
      ByteBuffer bytes = ByteBuffer.allocate(width * Float.BYTES);
      bytes.asFloatBuffer().put(features, rows * width, width);
      return bytes.array();
    }

    void score() {
      if (rows > 0) {
        outputs = model.outputs(features, rows);
        rows = 0;
      }
    }
  }

  /** A record that waits; without a row if it is not a sample. */
  private record Waiting<T>(StreamRecord<T> record, Rows<T> rows, int row, String error) {}

  private final RegistryFollower<T> follower;
  private final VersionChoice choice;
  private final RecordKey<T> key;
  private final int batchSize;
  private final ScoringMetrics metrics;
  private final List<Rows<T>> inService = new ArrayList<>();
  private final List<Waiting<T>> waiting = new ArrayList<>();

  private int capacity;

  /**
   * Takes the first versions from the follower.
   *
   * @param follower follower whose first versions are available: {@link RegistryFollower#await}
   * @param key decides whether the canary scores a record
   * @param batchSize maximum number of records that are scored together
   */
  public RecordScorer(
      RegistryFollower<T> follower,
      VersionChoice choice,
      RecordKey<T> key,
      int batchSize,
      ScoringMetrics metrics) {
    this.follower = follower;
    this.choice = choice;
    this.key = key;
    this.batchSize = batchSize;
    this.metrics = metrics;
    for (int slot = 0; slot < follower.slots(); slot++) {
      ServedModel<T> model =
          follower.take(slot).orElseThrow(() -> new IllegalStateException("no first version"));
      inService.add(new Rows<>(model, batchSize));
      if (slot == 0) {
        metrics.inService(model.version());
      }
    }
    capacity = capacity();
  }

  /** Returns the maximum number of samples that are scored together. */
  static int capacity(int batchSize, int features) {
    return Math.max(1, Math.min(batchSize, MAX_NUMBERS / features));
  }

  private int capacity() {
    return inService.stream().mapToInt(rows -> rows.capacity).reduce(batchSize, Math::min);
  }

  /** Returns whether the waiting records have to be scored before another one is added. */
  public boolean isFull() {
    return waiting.size() >= capacity;
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Adds a record. There must be room for it.
   *
   * @param record record, which is kept until it is scored
   */
  public void add(StreamRecord<T> record) {
    waiting.add(read(record));
  }

  private Waiting<T> read(StreamRecord<T> record) {
    Rows<T> rows = inService.get(0);
    try {
      T value = record.getValue();
      Optional<byte[]> own = choice.hasCanary() ? key.of(value) : Optional.empty();
      if (own.isPresent() && choice.isCanary(own.get())) {
        rows = inService.get(1);
      }
      rows.read(value);
      if (choice.hasCanary() && own.isEmpty() && choice.isCanary(rows.lastRead())) {
        rows = inService.get(1);
        rows.read(value);
      }
      return new Waiting<>(record, rows, rows.rows++, "");
    } catch (InvalidRecordException e) {
      return new Waiting<>(record, rows, -1, e.getMessage());
    }
  }

  /** Scores all waiting records. */
  public void flush(Sink<T> sink) {
    inService.forEach(Rows::score);
    for (Waiting<T> next : waiting) {
      ServedModel<T> model = next.rows.model;
      RecordScore score =
          next.row < 0
              ? RecordScore.error(model.name(), next.error)
              : model.score(next.rows.outputs, next.row);
      metrics.scored(score);
      sink.scored(next.record, score, model.names());
    }
    waiting.clear();
  }

  /** Scores all waiting records if a new version was loaded, and puts that version into service. */
  public void swap(Sink<T> sink) {
    for (int slot = 0; slot < inService.size(); slot++) {
      Optional<ServedModel<T>> next = follower.take(slot);
      if (next.isPresent()) {
        flush(sink);
        inService.set(slot, new Rows<>(next.get(), batchSize)).model.close();
        capacity = capacity();
        if (slot == 0) {
          metrics.inService(next.get().version());
        }
      }
    }
  }

  /** Closes the versions in service. */
  @Override
  public void close() {
    inService.forEach(rows -> rows.model.close());
    inService.clear();
  }
}
