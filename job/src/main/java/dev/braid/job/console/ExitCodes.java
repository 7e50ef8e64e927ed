package dev.braid.job.console;

/** What the process tells its caller. */
public final class ExitCodes {

  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** Trained, but to less than the accuracy that was asked for. */
  public static final int TARGET_MISSED = 3;

  /** As shells say it of a process that SIGINT ended. */
  public static final int INTERRUPTED = 130;

  /** As shells say it of a process that SIGPIPE ended. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCodes() {}
}
