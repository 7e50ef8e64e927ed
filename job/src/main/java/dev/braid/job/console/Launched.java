package dev.braid.job.console;

/** Commands as this user starts them, for lines to copy. The launcher says how it was started. */
public final class Launched {

  private Launched() {}

  /** Returns what starts Braid, such as {@code ./braid}. */
  public static String braid() {
    return System.getProperty("braid.command", "braid");
  }

  /** Returns what starts Flink's client, such as {@code ./braid flink}. */
  public static String flink() {
    return System.getProperty("braid.flink", "flink");
  }
}
