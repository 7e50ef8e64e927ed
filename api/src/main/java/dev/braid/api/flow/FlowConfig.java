package dev.braid.api.flow;

import java.io.Serializable;

/**
 * Settings for making batches of a stream.
 *
 * @param batchSize maximum number of records in a batch
 * @param window number of rounds over which figures are reported together
 * @param maxWaitMillis maximum time that a record waits for its batch to be full, in ms
 * @param holdout share of the samples that are only scored
 * @param servers number of ranks, the last ones, that compute nothing
 */
public record FlowConfig(int batchSize, int window, long maxWaitMillis, double holdout, int servers)
    implements Serializable {}
