package dev.braid.chaos;

import java.util.Locale;

/**
 * Limits the reports on records that are not events: the first few are reported with the reason,
 * and then only their number, each time it has grown tenfold. A topic full of other records thus
 * causes a dozen lines.
 */
final class RefusedRecords {

  /** Rank of a report without one: records are checked before they reach any rank. */
  private static final int NO_RANK = -1;

  private static final int NAMED = 3;
  private static final int TIMES = 10;

  private final FaultReport.Teller teller;
  private long count;
  private long nextCount = TIMES;

  /** Creates the report of a task's attempt. */
  RefusedRecords(int attempt) {
    teller = new FaultReport.Teller(NO_RANK, attempt);
  }

  /** Counts a record, and returns whether the report has changed. */
  boolean add(String origin, String reason) {
    count++;
    if (count <= NAMED) {
      teller.say("record " + origin + " is not a valid chaos event: " + reason);
      return true;
    }
    if (count < nextCount) {
      return false;
    }
    nextCount *= TIMES;
    teller.say(String.format(Locale.ROOT, "%,d records are not valid chaos events so far", count));
    return true;
  }

  String toJson() {
    return teller.toJson();
  }
}
