package dev.braid.run.report.verdict;

import dev.braid.ledger.LedgerSummary;
import dev.braid.ledger.UsedOffsets;
import dev.braid.run.result.Evaluation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Judgement of the ledger's summaries.
 *
 * @param exact whether every sample was used exactly once in each epoch
 * @param accounted whether every sample was used once in each epoch or is known to be missed by a
 *     worker that was excluded
 * @param unusedSamples number of uses that are missing for that reason
 * @param sentence the judgement in words, with what is wrong if it is not exact
 */
record LedgerVerdict(boolean exact, boolean accounted, long unusedSamples, String sentence) {

  private static final int NAMED_EPOCHS = 3;

  /**
   * Judges a run.
   *
   * @param samples number of samples that each epoch should have used; empty for a stream
   * @param epochs evaluations of the completed epochs
   */
  static LedgerVerdict of(
      Collection<LedgerSummary> summaries, OptionalLong samples, List<Evaluation> epochs) {
    return samples.isPresent()
        ? ofEpochs(summaries, samples.getAsLong(), epochs)
        : ofStream(
            summaries.stream()
                .map(LedgerSummary::offsets)
                .filter(offsets -> offsets.partitions().length > 0)
                .findFirst()
                .orElse(UsedOffsets.NONE),
            epochs);
  }

  /**
   * Judges a run on a stream. Successive offsets of a partition are in one range, unless some
   * between them were not used.
   */
  private static LedgerVerdict ofStream(UsedOffsets used, List<Evaluation> windows) {
    long offsets = 0;
    long unused = 0;
    long partitions = 0;
    for (int i = 0; i < used.partitions().length; i++) {
      offsets += used.ends()[i] - used.starts()[i];
      boolean continues = i > 0 && used.partitions()[i] == used.partitions()[i - 1];
      unused += continues ? used.starts()[i] - used.ends()[i - 1] : 0;
      partitions += continues ? 0 : 1;
    }
    if (offsets == 0) {
      return new LedgerVerdict(true, true, 0, "no record was read");
    }
    long missed = windows.stream().mapToLong(Evaluation::missedSamples).sum();
    boolean isExact = unused == 0 && used.repeated() == 0;
    String faults =
        isExact
            ? "each used exactly once"
            : String.format(
                Locale.ROOT, "%,d used more than once, and %,d skipped", used.repeated(), unused);
    // The rest are records without a value or a needed number, and transaction markers.
    long others = offsets - used.trained() - used.heldOut() - used.refused();
    return new LedgerVerdict(
        isExact,
        used.repeated() == 0 && (unused == 0 || missed > 0),
        unused,
        String.format(
            Locale.ROOT,
            "%,d offsets of %s, %s: %,d records trained on, %,d held out, %,d refused%s",
            offsets,
            partitions == 1 ? "1 partition" : partitions + " partitions",
            faults,
            used.trained(),
            used.heldOut(),
            used.refused(),
            isExact && others > 0
                ? String.format(Locale.ROOT, ", %,d without a sample", others)
                : ""));
  }

  private static LedgerVerdict ofEpochs(
      Collection<LedgerSummary> summaries, long samples, List<Evaluation> epochs) {
    Map<Integer, Long> missed =
        epochs.stream().collect(Collectors.toMap(Evaluation::epoch, Evaluation::missedSamples));
    List<String> faults = new ArrayList<>();
    long unused = 0;
    int seen = Math.max(epochs.size(), epochsIn(summaries));
    for (int epoch = 0; epoch < seen; epoch++) {
      long used = 0;
      long repeats = 0;
      for (LedgerSummary summary : summaries) {
        used += epoch < summary.samples().length ? summary.samples()[epoch] : 0;
        repeats += epoch < summary.repeats().length ? summary.repeats()[epoch] : 0;
      }
      long missing = missed.getOrDefault(epoch + 1, 0L);
      unused += missing;
      if (used + missing != samples || repeats != 0) {
        faults.add(fault(epoch, samples, used, repeats));
      }
    }
    if (!faults.isEmpty()) {
      return inexact(unused, faults);
    }
    return unused == 0 ? exact(samples, epochs.size()) : survived(samples, epochs.size(), unused);
  }

  private static int epochsIn(Collection<LedgerSummary> summaries) {
    return summaries.stream().mapToInt(summary -> summary.samples().length).max().orElse(0);
  }

  private static LedgerVerdict exact(long samples, int epochs) {
    String times = epochs == 1 ? "in the epoch" : "in each of " + epochs + " epochs";
    return new LedgerVerdict(
        true,
        true,
        0,
        String.format(
            Locale.ROOT, "every one of %,d samples used exactly once %s", samples, times));
  }

  private static LedgerVerdict survived(long samples, int epochs, long unused) {
    return new LedgerVerdict(
        false,
        true,
        unused,
        String.format(
            Locale.ROOT,
            "%,d of %,d uses of samples were missed while a worker was excluded; no sample "
                + "was used twice in an epoch",
            unused,
            samples * epochs));
  }

  private static LedgerVerdict inexact(long unused, List<String> faults) {
    String named = String.join("; ", faults.subList(0, Math.min(NAMED_EPOCHS, faults.size())));
    int more = faults.size() - NAMED_EPOCHS;
    return new LedgerVerdict(
        false, false, unused, more > 0 ? named + "; and " + more + " more epochs" : named);
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
