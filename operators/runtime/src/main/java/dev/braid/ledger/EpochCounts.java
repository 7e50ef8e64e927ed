package dev.braid.ledger;

import java.util.Arrays;

/** Sums by epoch, for as many epochs as have been seen. */
final class EpochCounts {

  private long[] samples = {};
  private long[] repeats = {};

  /** Counts a use of a sample: its first in this epoch, or a repeated one. */
  void add(int epoch, boolean first) {
    reach(epoch);
    if (first) {
      samples[epoch]++;
    } else {
      repeats[epoch]++;
    }
  }

  /** Adds the sums of a summary. */
  void add(LedgerSummary summary) {
    reach(summary.samples().length - 1);
    for (int epoch = 0; epoch < summary.samples().length; epoch++) {
      samples[epoch] += summary.samples()[epoch];
      repeats[epoch] += summary.repeats()[epoch];
    }
  }

  LedgerSummary summary(int subtask, int subtasks) {
    return new LedgerSummary(subtask, subtasks, samples.clone(), repeats.clone());
  }

  private void reach(int epoch) {
    if (epoch >= samples.length) {
      samples = Arrays.copyOf(samples, epoch + 1);
      repeats = Arrays.copyOf(repeats, epoch + 1);
    }
  }
}
