package dev.braid.learner;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * A finite, indexed set of samples with classes or values. Instances are read-only and may be
 * shared by threads.
 */
public interface Samples {

  /** Returns the number of samples. A sample's id is its index, from 0. */
  int size();

  /** Returns the shape of the features and targets of each sample. */
  Shape shape();

  /** Copies the features of a sample, scaled for the learner, row after row. */
  void copyFeatures(int id, float[] into, int offset);

  /**
   * Copies the features of a sample that are not 0, in their order.
   *
   * @param columns receives the features' indices, from {@code offset} on; must have room for all
   *     features
   * @param values receives the features' values, from {@code offset} on; must have room for all
   *     features
   * @return number of features that are not 0
   */
  default int copyNonZero(int id, int[] columns, float[] values, int offset) {
    int width = shape().features();
    copyFeatures(id, values, offset);
    int end = offset;
    for (int i = 0; i < width; i++) {
      float value = values[offset + i];
      if (value != 0) {
        columns[end] = i;
        values[end++] = value;
      }
    }
    return end - offset;
  }

  /**
   * Returns the class of a sample, from 0 to {@code shape().classes() - 1}.
   *
   * @throws IllegalStateException if the samples have values
   */
  int label(int id);

  /**
   * Returns a CRC-32C of all samples. It depends on their number, shape, features, classes or
   * values, and order.
   */
  default int checksum() {
    int width = shape().features();
    float[] row = new float[width];
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(width, Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C sum = new CRC32C();
    for (int id = 0; id < size(); id++) {
      copyFeatures(id, row, 0);
      bytes.asFloatBuffer().put(row);
      sum.update(bytes.array());
    }
    Targets targets = targets(IntStream.range(0, size()).toArray());
    return (int) targets.addTo(sum, shape());
  }

  /** Returns the targets of the samples with these ids, in this order. */
  default Targets targets(int[] ids) {
    int[] labels = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      labels[i] = label(ids[i]);
    }
    return new Targets.Classes(labels);
  }

  /** Returns the samples with these ids, in this order, as a batch. */
  default Batch batch(int epoch, int[] ids, boolean lastOfEpoch) {
    return new Batch(epoch, ids, Features.of(this, ids), targets(ids), lastOfEpoch);
  }

  /**
   * Returns a batch whose features are copied only part by part, when they are needed, because the
   * samples are too many to hold in memory at once.
   */
  default Batch deferredBatch(int epoch, int[] ids, boolean lastOfEpoch) {
    return new Batch(epoch, ids, Features.deferred(this, ids), targets(ids), lastOfEpoch);
  }
}
