package dev.braid.api.score;

import dev.braid.api.sample.Encoder;
import dev.braid.api.sample.Sample;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.learner.Shape;
import dev.braid.run.scoring.FeatureReader;
import dev.braid.run.scoring.FeatureScales;
import java.util.Arrays;
import java.util.Optional;

/** Features that an encoder sets. Its other settings matter only for training and are ignored. */
final class EncodedFeatures<T> implements FeatureReader<T>, Sample {

  private final Encoder<T> encoder;
  private final FeatureScales scales;
  private final int width;

  // The record that is being read.

  private float[] features = {};
  private int start;
  private Optional<String> reason = Optional.empty();

  EncodedFeatures(Encoder<T> encoder, FeatureScales scales) {
    this.encoder = encoder;
    this.scales = scales;
    this.width = encoder.shape().features();
  }

  @Override
  public Shape shape() {
    return encoder.shape();
  }

  @Override
  public void read(T record, float[] into, int offset) {
    features = into;
    start = offset;
    reason = Optional.empty();
    Arrays.fill(into, offset, offset + width, 0);
    try {
      encoder.encode(record, this);
    } catch (Exception e) {
      refuse("the encoder failed: " + e);
    }
    if (reason.isPresent()) {
      throw new InvalidRecordException(reason.get());
    }
    scales.apply(into, offset, width);
  }

  @Override
  public Sample feature(int index, double value) {
    if (index < 0 || index >= width) {
      throw new IndexOutOfBoundsException(
          "feature %d: 0 to %d are possible".formatted(index, width - 1));
    }
    float number = (float) value;
    if (Float.isFinite(number)) {
      features[start + index] = number;
    } else {
      refuse("feature %d is %s: a finite number is needed".formatted(index, value));
    }
    return this;
  }

  @Override
  public Sample features(float[] values) {
    if (values.length != width) {
      throw new IllegalArgumentException(
          "%d features: the encoder has %d".formatted(values.length, width));
    }
    for (int i = 0; i < values.length; i++) {
      feature(i, values[i]);
    }
    return this;
  }

  @Override
  public Sample label(int number) {
    return this;
  }

  @Override
  public Sample value(int index, double value) {
    return this;
  }

  @Override
  public Sample weight(double value) {
    return this;
  }

  @Override
  public Sample key(String key) {
    return this;
  }

  @Override
  public void refuse(String why) {
    reason = reason.or(() -> Optional.of(why));
  }
}
