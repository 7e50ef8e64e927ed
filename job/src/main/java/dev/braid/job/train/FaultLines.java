package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.chaos.event.EventText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines about faults that links report. A random schedule has thousands of faults. A few lines are
 * shown at once, then one at intervals; the others are counted.
 */
final class FaultLines {

  private static final int AT_ONCE = 6;
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  /** Nanoseconds between lines that are not overwritten. */
  private static final long PLAIN_INTERVAL_NANOS = 5_000_000_000L;

  private static final int NAMED_IN_FORCE = 3;

  /** Progress in reading a rank's reports. */
  private record Seen(int attempt, long told) {}

  private final long intervalNanos;
  private final Map<Integer, Seen> seen = new HashMap<>();
  private List<String> inForce = List.of();
  private int countInForce;
  private long skipped;
  private int allowed = AT_ONCE;
  private long allowedNanos;

  /**
   * Creates the lines of a run that is followed from now on.
   *
   * @param interactive whether output is a terminal, where lines may be more frequent
   */
  FaultLines(boolean interactive, long nowNanos) {
    this.intervalNanos = interactive ? INTERVAL_NANOS : PLAIN_INTERVAL_NANOS;
    this.allowedNanos = nowNanos;
  }

  /** Returns the lines to show now. */
  List<String> take(FaultReport report, long nowNanos) {
    refill(nowNanos);
    inForce = report.ranks().stream().flatMap(rank -> rank.inForce().stream()).toList();
    countInForce = report.ranks().stream().mapToInt(FaultReport.OfRank::countInForce).sum();
    List<String> lines = new ArrayList<>();
    for (FaultReport.OfRank rank : report.ranks()) {
      take(rank, lines);
    }
    return lines;
  }

  private void take(FaultReport.OfRank rank, List<String> lines) {
    Seen before = seen.getOrDefault(rank.rank(), new Seen(rank.attempt(), 0));
    if (rank.attempt() < before.attempt()) {
      // The report is of a task that has since failed.
      return;
    }
    long looked = rank.attempt() == before.attempt() ? before.told() : 0;
    long fresh = rank.told() - looked;
    seen.put(rank.rank(), new Seen(rank.attempt(), rank.told()));
    int shown = (int) Math.min(fresh, rank.recent().size());
    skipped += fresh - shown;
    for (String line : rank.recent().subList(rank.recent().size() - shown, rank.recent().size())) {
      show(line, lines);
    }
  }

  private void show(String line, List<String> lines) {
    if (allowed == 0) {
      skipped++;
      return;
    }
    allowed--;
    lines.add(skipped == 0 ? line : line + "; before that " + skipped + " more");
    skipped = 0;
  }

  private void refill(long nowNanos) {
    long more = (nowNanos - allowedNanos) / intervalNanos;
    allowed = (int) Math.min(AT_ONCE, allowed + more);
    allowedNanos += more * intervalNanos;
  }

  /** Returns the faults in force, in words; empty if there are none. */
  String inForce() {
    return some(inForce, countInForce);
  }

  /**
   * Returns the known faults in force at a rank or its links, in words; empty if there are none.
   */
  String inForceAt(int rank) {
    List<String> there =
        inForce.stream().filter(sentence -> EventText.names(rank, sentence)).toList();
    return some(there, there.size());
  }

  private static String some(List<String> all, int count) {
    List<String> named = all.subList(0, Math.min(NAMED_IN_FORCE, all.size()));
    int more = count - named.size();
    return String.join(", ", named)
        + (more > 0 ? " and " + more + (more == 1 ? " more fault" : " more faults") : "");
  }
}
