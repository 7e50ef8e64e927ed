package dev.braid.api.sample;

import org.apache.flink.annotation.PublicEvolving;

/**
 * One sample, which an {@link Encoder} writes into a batch. It is the same object for each record:
 * nothing may keep it.
 */
@PublicEvolving
public interface Sample {

  /**
   * Sets a feature. One that is not set is 0.
   *
   * @param index of the feature, from 0
   * @param value a finite number; with any other the sample is refused
   * @throws IndexOutOfBoundsException if there is no such feature
   */
  Sample feature(int index, double value);

  /**
   * Sets all features.
   *
   * @param values one for each feature
   * @throws IllegalArgumentException if there are more or fewer
   */
  Sample features(float[] values);

  /**
   * Sets the class. A sample without one is refused, and so is one whose class there is not.
   *
   * @param number of the class, from 0
   */
  Sample label(int number);

  /**
   * Sets a value that the model is to predict. A sample that lacks one is refused.
   *
   * @param index of the value, from 0
   * @param value a finite number; with any other the sample is refused
   * @throws IndexOutOfBoundsException if there is no such value
   */
  Sample value(int index, double value);

  /**
   * Sets how much the sample counts in the gradient and in the loss, with an encoder that is {@link
   * Encoder#weighted}. Without it, 1.
   *
   * @param value a finite number from 0 on; with any other the sample is refused
   * @throws IllegalStateException if the encoder is not weighted
   */
  Sample weight(double value);

  /**
   * Sets what decides whether the sample is held out of training, where some samples are. Samples
   * of one key are all held out, or none is. Without a key, the features decide.
   */
  Sample key(String key);

  /**
   * Says that the record is no sample. It is not trained on; it is counted, and comes out of {@code
   * StreamRun.refused()} with the reason.
   */
  void refuse(String reason);
}
