package dev.braid.learner.network;

/** The forward pass of a model with its weights. An instance belongs to one thread. */
interface ScoringNetwork extends AutoCloseable {

  /**
   * Computes the outputs for the first {@code rows} samples of a buffer.
   *
   * @param features at least {@code rows} samples, preprocessed as for the model's training
   * @param rows number of samples, at least 1
   * @return a new array with the outputs, sample after sample
   */
  float[] scores(float[] features, int rows);

  @Override
  void close();
}
