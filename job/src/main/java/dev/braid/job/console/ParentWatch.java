package dev.braid.job.console;

import java.util.Optional;

/**
 * Watch that ends this process, as Ctrl-C does, when the process that started it and waits for it
 * is gone. An interrupted parent ends its child itself. A killed parent cannot, and its child would
 * keep training and use the processor.
 */
public final class ParentWatch {

  /** System property with the parent's process id. */
  private static final String PROPERTY = "braid.parent";

  private ParentWatch() {}

  /** Returns the JVM option that makes a child process watch this process. */
  public static String jvmOption() {
    return "-D" + PROPERTY + "=" + ProcessHandle.current().pid();
  }

  /** Returns whether another process of Braid started this process. */
  public static boolean hasParent() {
    return System.getProperty(PROPERTY) != null;
  }

  /** Starts the watch if there is a parent. */
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
