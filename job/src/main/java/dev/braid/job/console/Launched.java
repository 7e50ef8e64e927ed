package dev.braid.job.console;

/** Names of the programs as this user starts them, for commands to copy; the launcher sets them. */
public final class Launched {

  private Launched() {}

  /** Returns the command that starts Braid, such as {@code ./braid}. */
  public static String braid() {
    return System.getProperty("braid.command", "braid");
  }

  /** Returns the command that starts Flink's client, such as {@code ./braid flink}. */
  public static String flink() {
    return System.getProperty("braid.flink", "flink");
  }
}
