package dev.braid.learner.network;

/** The forward pass of a model with its weights. An instance belongs to one thread. */
interface ScoringNetwork extends AutoCloseable {

  /**
   * Computes the outputs for the first samples of a buffer.
   *
   * @param features at least {@code rows} samples, as the model was trained on them
   * @param rows number of samples, at least 1
   * @return a new array with the outputs of one sample after the other
   */
  float[] scores(float[] features, int rows);

  @Override
  void close();
}
