package dev.braid.job.console;

import dev.braid.text.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Display of progress: a terminal, on which one line is overwritten repeatedly, or a file or pipe,
 * which receives whole lines.
 */
public final class Terminal {

  private static final String ERASE_TO_END = "\u001b[K";

  /**
   * Control sequence before an overwritten line that turns off wrapping. A terminal that has become
   * narrower then cuts the line; wrapping would leave a copy behind at each update.
   */
  private static final String WRAP_OFF = "\u001b[?7l";

  private static final String WRAP_ON = "\u001b[?7h";
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  private final PrintStream out;
  private final boolean interactive;
  private final boolean coloured;
  private final IntSupplier columns;
  private boolean lineOpen;
  private boolean isOver;

  /**
   * Creates the display of a terminal or a file.
   *
   * @param columns current width in characters, requested for each line that is overwritten
   */
  public Terminal(PrintStream out, boolean interactive, boolean coloured, IntSupplier columns) {
    this.out = out;
    this.interactive = interactive;
    this.coloured = coloured;
    this.columns = columns;
  }

  /** Creates the display for this process's standard output. */
  @SuppressWarnings("SystemConsoleNull") // from Java 22 on only the launcher's property is reliable
  public static Terminal ofProcess(PrintStream out, Map<String, String> environment) {
    // System.console() also requires standard input, and from Java 22 on exists without a terminal.
    // The launcher's property has priority.
    String known = System.getProperty("braid.terminal", "");
    boolean attached = known.isEmpty() ? System.console() != null : Boolean.parseBoolean(known);
    boolean interactive = attached && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    boolean coloured = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
    int columns = Integer.getInteger("braid.columns", 80);
    return new Terminal(out, interactive, coloured, TerminalWidth.ofProcess(columns));
  }

  public boolean isInteractive() {
    return interactive;
  }

  /** Returns whether a line fits the terminal's width; any line fits a file. */
  public boolean hasRoomFor(String line) {
    return !interactive || line.length() <= columns.getAsInt();
  }

  /** Overwrites the line in progress. */
  public void update(String line) {
    update(List.of(line));
  }

  /**
   * Overwrites the line in progress with the first of several lines, from long to short, that fits;
   * if none fits, with the beginning of the last.
   */
  public synchronized void update(List<String> lines) {
    if (isOver) {
      return;
    }
    // One column less than the width, because some terminals wrap when the last column is written.
    int room = Math.max(0, columns.getAsInt() - 1);
    String line =
        lines.stream()
            .map(Printable::of)
            .filter(it -> it.length() <= room)
            .findFirst()
            .orElseGet(() -> Printable.of(lines.get(lines.size() - 1)));
    String cut = line.length() <= room ? line : line.substring(0, room);
    out.print("\r" + WRAP_OFF + cut + ERASE_TO_END + WRAP_ON);
    out.flush();
    lineOpen = true;
  }

  /** Writes a permanent line. */
  public synchronized void print(String line) {
    if (lineOpen) {
      out.print("\r" + ERASE_TO_END);
      lineOpen = false;
    }
    out.println(printable(line));
    out.flush();
  }

  /** Writes the last line; later updates are ignored. */
  public synchronized void printLast(String line) {
    isOver = true;
    print(line);
  }

  /** Escapes control characters, except those that this class uses for emphasis. */
  private String printable(String line) {
    String printable = Printable.of(line);
    return coloured
        ? printable.replace(Printable.of(BOLD), BOLD).replace(Printable.of(PLAIN), PLAIN)
        : printable;
  }

  /** Ends the line in progress and keeps it. */
  public synchronized void endLine() {
    if (lineOpen) {
      out.println();
      out.flush();
      lineOpen = false;
    }
  }

  /** Returns an emphasised text if colours are enabled. */
  public String strong(String text) {
    return coloured ? BOLD + text + PLAIN : text;
  }
}
