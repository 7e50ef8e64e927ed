package dev.braid.api.sample;

import org.apache.flink.annotation.PublicEvolving;

/** A sample that an {@link Encoder} fills. The object is reused for each record: do not keep it. */
@PublicEvolving
public interface Sample {

  /**
   * Sets a feature. Features that are not set are 0.
   *
   * @param index index of the feature, from 0
   * @param value finite number; other numbers refuse the sample
   * @throws IndexOutOfBoundsException if the index is negative or not less than the number of
   *     features
   */
  Sample feature(int index, double value);

  /**
   * Sets all features.
   *
   * @param values a finite number for each feature
   * @throws IllegalArgumentException if the number of values is not the number of features
   */
  Sample features(float[] values);

  /**
   * Sets the class. A sample without a class, or with a class out of range, is refused.
   *
   * @param number number of the class, from 0
   */
  Sample label(int number);

  /**
   * Sets a value to predict. A sample without all its values is refused.
   *
   * @param index index of the value, from 0
   * @param value finite number; other numbers refuse the sample
   * @throws IndexOutOfBoundsException if the index is negative or not less than the number of
   *     values
   */
  Sample value(int index, double value);

  /**
   * Sets the weight of the sample in the gradient and in the loss; 1 by default. Only for an
   * encoder that is {@link Encoder#weighted}.
   *
   * @param value finite number, 0 or more; other numbers refuse the sample
   * @throws IllegalStateException if the encoder is not weighted
   */
  Sample weight(double value);

  /**
   * Sets the key that decides whether the sample is held out of training, if some samples are.
   * Either all samples with a key are held out or none of them. Without a key, the features decide.
   */
  Sample key(String key);

  /**
   * Refuses the record: it is counted but not used for training, and {@code StreamRun.refused()}
   * has it with the reason.
   */
  void refuse(String reason);
}
