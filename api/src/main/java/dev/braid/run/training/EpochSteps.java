package dev.braid.run.training;

import dev.braid.connectors.source.SampleSource;
import java.io.Serializable;

/**
 * Number of optimiser steps in an epoch, which depends on the actual number of workers.
 *
 * @param samples samples of an epoch
 * @param batch samples of a worker's full gradient
 * @param window rounds of a stream's window, which counts as an epoch; 0 for a data set
 * @param isOneForEach whether each worker's gradient is a step; otherwise each round is one
 */
public record EpochSteps(int samples, int batch, int window, boolean isOneForEach)
    implements Serializable {

  /** Returns whether a worker's gradient is of all samples of its share. */
  boolean isFullBatch() {
    return batch == SampleSource.ALL;
  }

  long of(int workers) {
    long rounds = window > 0 ? window : SampleSource.batchesPerEpoch(samples, workers, batch);
    return isOneForEach ? rounds * workers : rounds;
  }
}
