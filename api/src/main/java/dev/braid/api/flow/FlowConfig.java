package dev.braid.api.flow;

import java.io.Serializable;

/**
 * How a stream becomes batches.
 *
 * @param batchSize records of a batch, at most
 * @param window rounds of a window of figures
 * @param maxWaitMillis how long a record waits for its batch to be full
 * @param holdout share of the samples that are only scored
 * @param servers number of ranks, the last ones, that compute nothing
 */
public record FlowConfig(int batchSize, int window, long maxWaitMillis, double holdout, int servers)
    implements Serializable {}
