package dev.braid.bench.allreduce;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What rounds cost a process.
 *
 * @param messages number of messages that arrived; each is a hand-over between two threads
 * @param bytes bytes of these messages
 * @param processorNanos processor time of the process
 * @param allocatedBytes memory that the present threads allocated
 * @param switches number of times that a thread waited and gave up its core; 0 if the system does
 *     not count them
 */
record RoundCosts(
    long messages, long bytes, long processorNanos, long allocatedBytes, long switches) {

  static final RoundCosts NONE = new RoundCosts(0, 0, 0, 0, 0);

  private static final String SWITCHES = "voluntary_ctxt_switches:";
  private static final int COPIED_FLOATS = 8 << 20;
  private static final int COPIES = 20;

  /** Returns the costs of this process since its start, without messages. */
  static RoundCosts now() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long allocated =
        Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
            .filter(bytes -> bytes > 0)
            .sum();
    return new RoundCosts(0, 0, system.getProcessCpuTime(), allocated, contextSwitches());
  }

  private static long contextSwitches() {
    Path tasks = Path.of("/proc/self/task");
    if (!Files.isDirectory(tasks)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(tasks)) {
      return all.mapToLong(RoundCosts::contextSwitches).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long contextSwitches(Path task) {
    try {
      return Files.readAllLines(task.resolve("status")).stream()
          .filter(line -> line.startsWith(SWITCHES))
          .mapToLong(line -> Long.parseLong(line.substring(SWITCHES.length()).strip()))
          .sum();
    } catch (IOException e) {
      // The thread has ended.
      return 0;
    }
  }

  RoundCosts plus(RoundCosts other) {
    return new RoundCosts(
        messages + other.messages,
        bytes + other.bytes,
        processorNanos + other.processorNanos,
        allocatedBytes + other.allocatedBytes,
        switches + other.switches);
  }

  RoundCosts minus(RoundCosts other) {
    return new RoundCosts(
        messages - other.messages,
        bytes - other.bytes,
        processorNanos - other.processorNanos,
        allocatedBytes - other.allocatedBytes,
        switches - other.switches);
  }

  /** Returns the mean costs of a round, next to the rate at which this machine copies memory. */
  String describe(int rounds) {
    double copied = bytesCopiedPerSecond();
    return String.format(
        Locale.ROOT,
        "# a round: %.2f ms of processor time, %.1f messages of %.1f MB in all, %.2f MB allocated,"
            + " %.1f waits; to copy the messages once takes %.2f ms at %.1f GB/s",
        processorNanos / 1e6 / rounds,
        (double) messages / rounds,
        bytes / 1e6 / rounds,
        allocatedBytes / 1e6 / rounds,
        (double) switches / rounds,
        bytes / copied * 1e3 / rounds,
        copied / 1e9);
  }

  /** Measures how fast all cores together copy arrays that are larger than their caches. */
  private static double bytesCopiedPerSecond() {
    int cores = Runtime.getRuntime().availableProcessors();
    List<float[][]> arrays =
        IntStream.range(0, cores)
            .mapToObj(core -> new float[][] {new float[COPIED_FLOATS], new float[COPIED_FLOATS]})
            .toList();
    double fastest = 0;
    for (int i = 0; i < COPIES; i++) {
      long began = System.nanoTime();
      arrays.parallelStream()
          .forEach(pair -> System.arraycopy(pair[0], 0, pair[1], 0, COPIED_FLOATS));
      double nanos = System.nanoTime() - began;
      fastest = Math.max(fastest, (double) cores * COPIED_FLOATS * Float.BYTES / nanos * 1e9);
    }
    return fastest;
  }
}
