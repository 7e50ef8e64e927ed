package dev.braid.job;

/** What the process tells its caller. */
final class ExitCodes {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  /** Trained, but to less than the accuracy that was asked for. */
  static final int TARGET_MISSED = 3;

  /** As shells say it of a process that SIGINT ended. */
  static final int INTERRUPTED = 130;

  /** As shells say it of a process that SIGPIPE ended. */
  static final int OUTPUT_CLOSED = 141;

  private ExitCodes() {}
}
