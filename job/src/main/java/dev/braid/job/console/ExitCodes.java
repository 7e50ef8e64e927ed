package dev.braid.job.console;

/** Exit codes of the process. */
public final class ExitCodes {

  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** Training finished below the requested accuracy. */
  public static final int TARGET_MISSED = 3;

  /** Code that shells report for a process ended by SIGINT. */
  public static final int INTERRUPTED = 130;

  /** Code that shells report for a process ended by SIGPIPE. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCodes() {}
}
