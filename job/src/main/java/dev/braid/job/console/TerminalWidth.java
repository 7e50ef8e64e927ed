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
 * Width of the terminal, which its user may change at any time. A query starts another process, so
 * it runs in the background and only every 2 seconds; until it is answered, the last width is used.
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
   * Creates the width of a terminal.
   *
   * @param first width in characters until the first answer
   * @param asking queries the width; empty if that is not possible
   * @param background runs the query
   */
  TerminalWidth(
      int first, Supplier<OptionalInt> asking, Executor background, LongSupplier nanoClock) {
    this.columns = first;
    this.asking = asking;
    this.background = background;
    this.nanoClock = nanoClock;
  }

  /** Creates the width of the terminal that this process was started from. */
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

  /** Queries the width; empty if there is no such terminal or no command {@code stty}. */
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

  /** Returns the columns of an output of rows and columns; empty if a terminal reports 0. */
  static OptionalInt columns(String size) {
    Matcher matcher = SIZE.matcher(size);
    int columns = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    return columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }
}
