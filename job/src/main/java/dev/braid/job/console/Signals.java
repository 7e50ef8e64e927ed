package dev.braid.job.console;

import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Handler of SIGINT (Ctrl-C) and SIGTERM. The first signal runs an action and then ends the process
 * as usual, with its shutdown hooks; another signal ends the process at once. Without this class,
 * the JVM runs its hooks at the first signal, including Flink's, and ignores all others.
 *
 * <p>The JDK has no other interface for signals than {@code sun.misc.Signal}, of which the compiler
 * warns, so this class uses reflection. On a JVM without it, signals have their default effects.
 */
public final class Signals implements AutoCloseable {

  private static final List<String> NAMES = List.of("INT", "TERM");

  /** Offset that shells add to a signal's number for the exit code of a process that it ended. */
  private static final int EXIT_CODE = 128;

  /**
   * Nanoseconds in which two signals count as one. A single Ctrl-C may arrive twice: from the
   * terminal, and from a parent process such as {@code timeout} that passes it on.
   */
  private static final long SAME_NANOS = 100_000_000L;

  /** Previous handlers by signal, to be restored. */
  private final Map<Object, Object> before = new LinkedHashMap<>();

  private final Runnable first;
  private final Runnable second;
  private OptionalLong firstNanos = OptionalLong.empty();

  private Signals(Runnable first, Runnable second) {
    this.first = first;
    this.second = second;
  }

  /**
   * Handles the signals until this object is closed.
   *
   * @param first runs at the first signal, before the process ends
   * @param second runs at a further signal, before the process is halted
   */
  public static Signals handle(Runnable first, Runnable second) {
    Signals signals = new Signals(first, second);
    try {
      signals.install();
    } catch (ReflectiveOperationException e) {
      // This JVM has no such class, or was started with -Xrs, which leaves signals alone.
    }
    return signals;
  }

  private void install() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object ignoring = handlerType.getField("SIG_IGN").get(null);
    Object handler =
        Proxy.newProxyInstance(
            handlerType.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "handle" -> signalled((int) type.getMethod("getNumber").invoke(arguments[0]));
                case "equals" -> {
                  return proxy == arguments[0];
                }
                case "hashCode" -> {
                  return System.identityHashCode(proxy);
                }
                default -> {
                  return "Signals";
                }
              }
              return null;
            });
    for (String name : NAMES) {
      Object signal = type.getConstructor(String.class).newInstance(name);
      Object old = set(signal, handler);
      if (old == ignoring) {
        // nohup and shells ignore the signal for background processes; keep it ignored.
        set(signal, old);
      } else {
        before.put(signal, old);
      }
    }
  }

  /** Sets a signal's handler and returns the previous one. */
  private static Object set(Object signal, Object handler) throws ReflectiveOperationException {
    return signal
        .getClass()
        .getMethod("handle", signal.getClass(), Class.forName("sun.misc.SignalHandler"))
        .invoke(null, signal, handler);
  }

  /** Handles a signal; the JVM calls it in a separate thread for each signal. */
  private void signalled(int number) {
    if (isFirst(System.nanoTime())) {
      try {
        first.run();
      } finally {
        System.exit(EXIT_CODE + number);
      }
    } else if (isAnother(System.nanoTime())) {
      try {
        second.run();
      } finally {
        Runtime.getRuntime().halt(EXIT_CODE + number);
      }
    }
  }

  private synchronized boolean isFirst(long nowNanos) {
    boolean isFirst = firstNanos.isEmpty();
    if (isFirst) {
      firstNanos = OptionalLong.of(nowNanos);
    }
    return isFirst;
  }

  private synchronized boolean isAnother(long nowNanos) {
    return nowNanos - firstNanos.orElseThrow() >= SAME_NANOS;
  }

  @Override
  public synchronized void close() {
    if (firstNanos.isPresent()) {
      // The process is about to end; a further signal must end it at once.
      return;
    }
    for (Map.Entry<Object, Object> signal : before.entrySet()) {
      try {
        set(signal.getKey(), signal.getValue());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a handler that was set cannot be set again", e);
      }
    }
  }
}
