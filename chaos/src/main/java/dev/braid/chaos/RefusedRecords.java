package dev.braid.chaos;

import java.util.Locale;

/**
 * What whoever follows a run is told of records that are no events: of the first few what is wrong
 * with them, and then how many there are, whenever that is another ten times as many. So a topic
 * full of something else is a dozen lines.
 */
final class RefusedRecords {

  /** In the place of a rank: records are looked at before they come to any. */
  private static final int NO_RANK = -1;

  private static final int NAMED = 3;
  private static final int TIMES = 10;

  private final FaultReport.Teller teller;
  private long count;
  private long nextCount = TIMES;

  /** Of a task's attempt. */
  RefusedRecords(int attempt) {
    teller = new FaultReport.Teller(NO_RANK, attempt);
  }

  /** Counts one; true if there is something new to tell. */
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
