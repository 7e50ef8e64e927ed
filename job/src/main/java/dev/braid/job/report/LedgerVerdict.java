package dev.braid.job.report;

import dev.braid.ledger.LedgerSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * What the ledger's summaries amount to.
 *
 * @param exact whether every sample was used exactly once in each epoch
 * @param sentence the same in words, or what is off
 */
record LedgerVerdict(boolean exact, String sentence) {

  private static final int NAMED_EPOCHS = 3;

  /**
   * Judges a run.
   *
   * @param samples samples that each epoch should have used
   * @param epochs epochs that were completed
   */
  static LedgerVerdict of(Collection<LedgerSummary> summaries, long samples, int epochs) {
    List<String> faults = new ArrayList<>();
    int seen = Math.max(epochs, epochsIn(summaries));
    for (int epoch = 0; epoch < seen; epoch++) {
      long used = 0;
      long repeats = 0;
      for (LedgerSummary summary : summaries) {
        used += epoch < summary.samples().length ? summary.samples()[epoch] : 0;
        repeats += epoch < summary.repeats().length ? summary.repeats()[epoch] : 0;
      }
      if (used != samples || repeats != 0) {
        faults.add(fault(epoch, samples, used, repeats));
      }
    }
    return faults.isEmpty() ? exact(samples, epochs) : inexact(faults);
  }

  private static int epochsIn(Collection<LedgerSummary> summaries) {
    return summaries.stream().mapToInt(summary -> summary.samples().length).max().orElse(0);
  }

  private static LedgerVerdict exact(long samples, int epochs) {
    String times = epochs == 1 ? "in the epoch" : "in each of " + epochs + " epochs";
    return new LedgerVerdict(
        true,
        String.format(
            Locale.ROOT, "every one of %,d samples used exactly once %s", samples, times));
  }

  private static LedgerVerdict inexact(List<String> faults) {
    String named = String.join("; ", faults.subList(0, Math.min(NAMED_EPOCHS, faults.size())));
    int more = faults.size() - NAMED_EPOCHS;
    return new LedgerVerdict(false, more > 0 ? named + "; and " + more + " epochs more" : named);
  }

  private static String fault(int epoch, long samples, long used, long repeats) {
    return String.format(
        Locale.ROOT,
        "epoch %d: %,d of %,d samples used, %,d uses repeated",
        epoch + 1,
        used,
        samples,
        repeats);
  }
}
