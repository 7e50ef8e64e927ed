package dev.braid.learner.math;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor's time: what others have had of it meanwhile is not in it. */
public final class ProcessorTime {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ProcessorTime() {}

  /** Of the calling thread; by the clock where it is not known. */
  public static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }
}
