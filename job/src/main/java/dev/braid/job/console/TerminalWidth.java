package dev.braid.job.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How wide the terminal is, which its user may change at any time. Asking takes another process, so
 * that is done in the background, and not at every line; until there is an answer, the last holds.
 */
final class TerminalWidth implements IntSupplier {

  private static final Path TERMINAL = Path.of("/dev/tty");
  private static final long INTERVAL_NANOS = 2_000_000_000L;
  private static final long PATIENCE_SECONDS = 2;
  private static final Pattern SIZE = Pattern.compile("\\d+ (\\d{1,6})\\s*");

  private final Supplier<OptionalInt> asking;
  private final Executor background;
  private final LongSupplier nanoClock;
  private volatile int columns;
  private boolean asked;
  private long askedNanos;
  private volatile boolean underWay;

  /**
   * A terminal's width.
   *
   * @param first until it is known
   * @param asking finds it out; nothing where that is not possible
   * @param background where that is done
   */
  TerminalWidth(
      int first, Supplier<OptionalInt> asking, Executor background, LongSupplier nanoClock) {
    this.columns = first;
    this.asking = asking;
    this.background = background;
    this.nanoClock = nanoClock;
  }

  /** That of the terminal that this process was started from. */
  static TerminalWidth ofProcess(int first) {
    Executor daemons =
        task -> {
          Thread thread = new Thread(task, "terminal-width");
          thread.setDaemon(true);
          thread.start();
        };
    return new TerminalWidth(first, () -> ask(TERMINAL), daemons, System::nanoTime);
  }

  @Override
  public synchronized int getAsInt() {
    long nowNanos = nanoClock.getAsLong();
    boolean isDue = !asked || nowNanos - askedNanos >= INTERVAL_NANOS;
    if (isDue && !underWay) {
      asked = true;
      askedNanos = nowNanos;
      underWay = true;
      background.execute(this::find);
    }
    return columns;
  }

  private void find() {
    try {
      asking.get().ifPresent(found -> columns = found);
    } finally {
      underWay = false;
    }
  }

  /** Asks the system; nothing where there is no such terminal, or no such command. */
  static OptionalInt ask(Path terminal) {
    if (!Files.exists(terminal)) {
      return OptionalInt.empty();
    }
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(terminal.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)
            ? columns(new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            : OptionalInt.empty();
      } finally {
        stty.destroyForcibly();
      }
    } catch (IOException e) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** Of rows and columns; a terminal that does not know them says that it has none. */
  static OptionalInt columns(String size) {
    Matcher matcher = SIZE.matcher(size);
    int columns = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    return columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }
}
