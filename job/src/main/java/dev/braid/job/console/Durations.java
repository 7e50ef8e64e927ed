package dev.braid.job.console;

import java.util.Locale;

/** Durations in words: 42 s, 3 min, 1 h 20 min. */
public final class Durations {

  private Durations() {}

  /** Returns a duration in one or two units. */
  public static String inWords(long seconds) {
    if (seconds < 100) {
      return String.format(Locale.ROOT, "%2d s", seconds);
    }
    long minutes = (seconds + 30) / 60;
    return minutes < 100 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
