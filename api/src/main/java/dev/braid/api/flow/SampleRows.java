package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.api.sample.Sample;
import dev.braid.connectors.random.ByteHash;
import dev.braid.connectors.record.SampleDecoder;
import dev.braid.learner.Shape;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The batch that is being filled, and the sample in it that is being written. */
final class SampleRows implements Sample {

  private static final int SALT = 0;

  private final Shape shape;
  private final int batchSize;
  private final double holdout;
  private final int partition;
  private final int targetWidth;
  private final float[] features;
  private final float[] targets;
  private final float[] heldFeatures;
  private final float[] heldTargets;
  private final float[] weights;
  private final float[] heldWeights;

  private long start;
  private int trained;
  private int held;
  private int refused;

  // The sample that is being written, after those that are trained on.

  private int row;
  private Optional<String> reason = Optional.empty();
  private Optional<String> key = Optional.empty();

  SampleRows(Encoder<?> encoder, int batchSize, double holdout, int partition, long start) {
    this.shape = encoder.shape();
    this.batchSize = batchSize;
    this.holdout = holdout;
    this.partition = partition;
    this.start = start;
    this.targetWidth = shape.hasValues() ? shape.outputs() : 1;
    this.features = new float[batchSize * shape.features()];
    this.targets = new float[batchSize * targetWidth];
    this.heldFeatures = new float[holdout > 0 ? features.length : 0];
    this.heldTargets = new float[holdout > 0 ? targets.length : 0];
    this.weights = new float[encoder.isWeighted() ? batchSize : 0];
    this.heldWeights = new float[holdout > 0 ? weights.length : 0];
  }

  /** Continues a batch that is not full. */
  void reopen(FlowBatch batch) {
    trained = batch.targets().length / targetWidth;
    held = batch.heldTargets().length / targetWidth;
    refused = batch.refused();
    start = batch.start();
    System.arraycopy(batch.features(), 0, features, 0, batch.features().length);
    System.arraycopy(batch.targets(), 0, targets, 0, batch.targets().length);
    System.arraycopy(batch.heldFeatures(), 0, heldFeatures, 0, batch.heldFeatures().length);
    System.arraycopy(batch.heldTargets(), 0, heldTargets, 0, batch.heldTargets().length);
    System.arraycopy(batch.weights(), 0, weights, 0, batch.weights().length);
    System.arraycopy(batch.heldWeights(), 0, heldWeights, 0, batch.heldWeights().length);
  }

  boolean isEmpty() {
    return records() == 0;
  }

  boolean isFull() {
    return records() == batchSize;
  }

  private int records() {
    return trained + held + refused;
  }

  /** Returns the number of the next record. */
  long nextRecord() {
    return start + records();
  }

  /** Returns the batch in its current state. */
  FlowBatch batch() {
    int width = shape.features();
    return new FlowBatch(
        partition,
        start,
        records(),
        refused,
        Arrays.copyOf(features, trained * width),
        Arrays.copyOf(targets, trained * targetWidth),
        Arrays.copyOf(heldFeatures, held * width),
        Arrays.copyOf(heldTargets, held * targetWidth),
        Arrays.copyOf(weights, isWeighted() ? trained : 0),
        Arrays.copyOf(heldWeights, isWeighted() ? held : 0));
  }

  private boolean isWeighted() {
    return weights.length > 0;
  }

  /** Begins the next batch. */
  void clear() {
    start += records();
    trained = 0;
    held = 0;
    refused = 0;
  }

  /** Begins a sample. */
  void begin() {
    row = trained;
    reason = Optional.empty();
    key = Optional.empty();
    Arrays.fill(features, row * shape.features(), (row + 1) * shape.features(), 0);
    Arrays.fill(targets, row * targetWidth, (row + 1) * targetWidth, Float.NaN);
    if (isWeighted()) {
      weights[row] = 1;
    }
  }

  /**
   * Writes a record with an encoder. If the encoder fails, the record is refused with the failure
   * as the reason.
   */
  <T> void write(Encoder<T> encoder, T record) {
    try {
      encoder.encode(record, this);
    } catch (Exception e) {
      refuse("the encoder failed: " + e);
    }
  }

  /** Copies the sample of a batch that has only one. */
  SampleDecoder.Outcome copyOnly(
      float[] into,
      int offset,
      float[] targetsInto,
      int targetOffset,
      float[] weightsInto,
      int weightOffset) {
    boolean isTrained = trained > 0;
    if (isWeighted()) {
      weightsInto[weightOffset] = isTrained ? weights[0] : heldWeights[0];
    }
    float[] from = isTrained ? features : heldFeatures;
    System.arraycopy(from, 0, into, offset, shape.features());
    System.arraycopy(isTrained ? targets : heldTargets, 0, targetsInto, targetOffset, targetWidth);
    return isTrained ? SampleDecoder.Outcome.TRAIN : SampleDecoder.Outcome.HELD_OUT;
  }

  /**
   * Ends a sample.
   *
   * @return why the record is not a sample; empty if it is one
   */
  Optional<String> end() {
    if (reason.isEmpty()) {
      checkTargets();
    }
    if (reason.isPresent()) {
      refused++;
    } else if (isHeldOut()) {
      copy(features, heldFeatures, shape.features());
      copy(targets, heldTargets, targetWidth);
      if (isWeighted()) {
        heldWeights[held] = weights[row];
      }
      held++;
    } else {
      trained++;
    }
    return reason;
  }

  private void checkTargets() {
    for (int i = 0; i < targetWidth; i++) {
      if (Float.isNaN(targets[row * targetWidth + i])) {
        refuse(shape.hasValues() ? "value " + i + " is missing" : "the label is missing");
      }
    }
  }

  private boolean isHeldOut() {
    return holdout > 0 && ByteHash.chooses(hashed(), SALT, holdout);
  }

  private byte[] hashed() {
    if (key.isPresent()) {
      return key.get().getBytes(StandardCharsets.UTF_8);
    }
    int width = shape.features();
    ByteBuffer bytes = ByteBuffer.allocate(width * Float.BYTES);
    bytes.asFloatBuffer().put(features, row * width, width);
    return bytes.array();
  }

  private void copy(float[] from, float[] into, int width) {
    System.arraycopy(from, row * width, into, held * width, width);
  }

  // ---- called by encoders ----------------------------------------------------------------------

  @Override
  public Sample feature(int index, double value) {
    if (index < 0 || index >= shape.features()) {
      throw new IndexOutOfBoundsException(
          "feature %d: 0 to %d are possible".formatted(index, shape.features() - 1));
    }
    return set(features, row * shape.features() + index, value, "feature", index);
  }

  @Override
  public Sample features(float[] values) {
    if (values.length != shape.features()) {
      throw new IllegalArgumentException(
          "%d features: the encoder has %d".formatted(values.length, shape.features()));
    }
    for (int i = 0; i < values.length; i++) {
      feature(i, values[i]);
    }
    return this;
  }

  @Override
  public Sample label(int number) {
    if (shape.hasValues()) {
      throw new IllegalStateException("label %d: the encoder has values".formatted(number));
    }
    if (number < 0 || number >= shape.outputs()) {
      refuse("label %d: 0 to %d are possible".formatted(number, shape.outputs() - 1));
    } else {
      targets[row] = number;
    }
    return this;
  }

  @Override
  public Sample value(int index, double value) {
    if (!shape.hasValues() || index < 0 || index >= targetWidth) {
      throw new IndexOutOfBoundsException(
          "value %d: the encoder has %s"
              .formatted(index, shape.hasValues() ? targetWidth + " values" : "labels"));
    }
    return set(targets, row * targetWidth + index, value, "value", index);
  }

  private Sample set(float[] numbers, int at, double value, String what, int index) {
    float number = (float) value;
    if (Float.isFinite(number)) {
      numbers[at] = number;
    } else {
      refuse("%s %d is %s: a finite number is needed".formatted(what, index, value));
    }
    return this;
  }

  @Override
  public Sample weight(double value) {
    if (!isWeighted()) {
      throw new IllegalStateException("weight %s: the encoder is not weighted()".formatted(value));
    }
    float number = (float) value;
    if (Float.isFinite(number) && number >= 0) {
      weights[row] = number;
    } else {
      refuse("weight %s: a finite number from 0 on is needed".formatted(value));
    }
    return this;
  }

  @Override
  public Sample key(String text) {
    key = Optional.of(text);
    return this;
  }

  @Override
  public void refuse(String why) {
    reason = reason.or(() -> Optional.of(why));
  }
}
