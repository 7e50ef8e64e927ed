package dev.braid.job.console;

import dev.braid.files.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Where progress is shown: a terminal, on which one line is written over and over, or a file or
 * pipe, which gets whole lines.
 */
public final class Terminal {

  private static final String ERASE_TO_END = "\u001b[K";

  /**
   * Around a line that is written over: a terminal that has been made narrower since then cuts it,
   * and does not wrap it, which would leave a copy behind at each update.
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
   * A terminal or a file.
   *
   * @param columns how wide it is at the moment; asked for each line that is written over
   */
  public Terminal(PrintStream out, boolean interactive, boolean coloured, IntSupplier columns) {
    this.out = out;
    this.interactive = interactive;
    this.coloured = coloured;
    this.columns = columns;
  }

  /** What this process's standard output is. */
  @SuppressWarnings("SystemConsoleNull") // from Java 22 on the launcher's word is all there is
  public static Terminal ofProcess(PrintStream out, Map<String, String> environment) {
    // The launcher knows; System.console() asks for standard input too, and from Java 22 on is
    // there without a terminal.
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

  /** Returns whether a line is not wider than the terminal; a file has room for any line. */
  public boolean hasRoomFor(String line) {
    return !interactive || line.length() <= columns.getAsInt();
  }

  /** Writes over the line that is being updated. */
  public void update(String line) {
    update(List.of(line));
  }

  /** The same with the first of some lines, which get shorter, that fits; or what fits of it. */
  public synchronized void update(List<String> lines) {
    if (isOver) {
      return;
    }
    // One short of the width: some terminals wrap when the last column is written.
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

  /** Writes a line that stays. */
  public synchronized void print(String line) {
    if (lineOpen) {
      out.print("\r" + ERASE_TO_END);
      lineOpen = false;
    }
    out.println(printable(line));
    out.flush();
  }

  /** Writes a line behind which none is updated any more, whatever is still under way. */
  public synchronized void printLast(String line) {
    isOver = true;
    print(line);
  }

  /** Escapes control characters, except those by which this class makes text stand out. */
  private String printable(String line) {
    String printable = Printable.of(line);
    return coloured
        ? printable.replace(Printable.of(BOLD), BOLD).replace(Printable.of(PLAIN), PLAIN)
        : printable;
  }

  /** Ends the line that is being updated, and leaves it there. */
  public synchronized void endLine() {
    if (lineOpen) {
      out.println();
      out.flush();
      lineOpen = false;
    }
  }

  /** A text that stands out, where that is possible and wanted. */
  public String strong(String text) {
    return coloured ? BOLD + text + PLAIN : text;
  }
}
