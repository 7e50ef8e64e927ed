package dev.braid.run.training;

import dev.braid.connectors.source.SampleSource;
import java.io.Serializable;

/**
 * How many steps of the optimiser an epoch has, which depends on how many workers there really are.
 *
 * @param samples of an epoch
 * @param batch samples of a worker's full gradient
 * @param window rounds of a window of a stream, which stands for an epoch; 0 for a data set
 * @param isOneForEach whether each worker's gradient is a step; else those of a round are one
 */
public record EpochSteps(int samples, int batch, int window, boolean isOneForEach)
    implements Serializable {

  /** Whether a worker's gradient is of all samples of its share. */
  boolean isFullBatch() {
    return batch == SampleSource.ALL;
  }

  long of(int workers) {
    long rounds = window > 0 ? window : SampleSource.batchesPerEpoch(samples, workers, batch);
    return isOneForEach ? rounds * workers : rounds;
  }
}
