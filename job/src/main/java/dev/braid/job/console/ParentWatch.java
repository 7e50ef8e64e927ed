package dev.braid.job.console;

import java.util.Optional;

/**
 * Ends this process, as Ctrl-C does, when the one is gone that has started it and waits for it. A
 * parent that is interrupted says so; one that is killed cannot, and would leave a training behind
 * that takes the processor from whatever comes next.
 */
public final class ParentWatch {

  /** The system property with the parent's process id. */
  private static final String PROPERTY = "braid.parent";

  private ParentWatch() {}

  /** What a process that this one starts is told, so that it watches this one. */
  public static String jvmOption() {
    return "-D" + PROPERTY + "=" + ProcessHandle.current().pid();
  }

  /** Whether this process is another one's part. */
  public static boolean hasParent() {
    return System.getProperty(PROPERTY) != null;
  }

  /** Begins to watch, where there is a parent to be watched. */
  public static void begin() {
    Optional.ofNullable(System.getProperty(PROPERTY))
        .map(Long::valueOf)
        .ifPresent(
            pid -> {
              Thread watch = new Thread(() -> outlive(pid), "braid-parent-watch");
              watch.setDaemon(true);
              watch.start();
            });
  }

  private static void outlive(long pid) {
    ProcessHandle.of(pid).ifPresent(parent -> parent.onExit().join());
    System.exit(ExitCodes.INTERRUPTED);
  }
}
