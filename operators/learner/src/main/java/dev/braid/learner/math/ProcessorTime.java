package dev.braid.learner.math;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time, which does not include time during which other threads use the processor. */
public final class ProcessorTime {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ProcessorTime() {}

  /**
   * Returns the processor time of the calling thread in nanoseconds, or the elapsed time if
   * processor time is not available.
   */
  public static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }
}
