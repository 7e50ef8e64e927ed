package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.ledger.LedgerSummary;
import java.util.Arrays;
import java.util.Iterator;

/** Check that a run has used every sample once in each epoch. */
final class ExactLedger {

  private ExactLedger() {}

  /** Checks the counts of all subtasks of the ledger. */
  static void check(Iterator<LedgerSummary> ledger, int epochs, long samples) {
    long[] used = new long[epochs];
    ledger.forEachRemaining(
        summary -> {
          assertThat(Arrays.stream(summary.repeats()).sum()).isZero();
          for (int epoch = 0; epoch < summary.samples().length; epoch++) {
            used[epoch] += summary.samples()[epoch];
          }
        });
    assertThat(used).containsOnly(samples);
  }
}
