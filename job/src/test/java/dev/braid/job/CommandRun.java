package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Result of a command that ran in this JVM.
 *
 * @param out standard output, followed by the output on the terminal
 */
public record CommandRun(int exitCode, String out, String err) {

  /** Placeholder in a line for a broker that does not exist and a short wait. */
  private static final String AWAY = "AWAY";

  private static final String AWAY_BROKER =
      "--kafka-brokers 127.0.0.1:1 --kafka-config src/test/resources/impatient.properties";

  /** Line that a command prints if a broker is slow to answer, as on a busy machine. */
  private static final Pattern WAITS = Pattern.compile("(?m)^braid: waiting for Kafka at .*\\R");

  private static final Pattern LAST_OPTION =
      Pattern.compile("^(?:.* )?(--?[a-zA-Z][a-z-]*)(?: (\\S+))?.*$");

  /**
   * Runs a command that also prints to this process's standard error, as training does. Lines about
   * a broker that is slow to answer are left out.
   */
  public static CommandRun withErrorOutput(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      CommandRun run = of(args);
      String printed = WAITS.matcher(err.toString(StandardCharsets.UTF_8)).replaceAll("");
      return new CommandRun(run.exitCode, run.out, run.err + printed);
    } finally {
      System.setErr(before);
    }
  }

  /** Runs a command. */
  public static CommandRun of(String... args) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintStream stream = new PrintStream(shown, true, StandardCharsets.UTF_8);
    int code =
        Main.commandLine(new Terminal(stream, false, false, () -> 80))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new CommandRun(code, out + shown.toString(StandardCharsets.UTF_8), err.toString());
  }

  /**
   * Runs a line of words separated by single blanks; {@value #AWAY} is a broker that does not
   * exist.
   */
  public static CommandRun ofLine(String line) {
    return of(line.replace(AWAY, AWAY_BROKER).split(" ", -1));
  }

  /**
   * Runs a command with each of several mistakes, separated by {@code ", "}. Each error names the
   * last option, the value that follows it after a blank, and each of the words; nothing is
   * printed. For options of an exchange, only the words are expected.
   */
  public static void assertMistakes(String command, String mistakes, String words) {
    for (String mistake : mistakes.split(", ", -1)) {
      String last = LAST_OPTION.matcher(mistake).replaceFirst("$1 $2 ");
      String named = last.replaceFirst("(--exchange [^ :]*|--exchanges) ?\\S*:\\S*", "$1");
      CommandRun run = ofLine((command + " " + mistake).trim());
      run.assertMistake((last.equals(mistake) ? "" : named) + Objects.toString(words, ""));
      assertThat(run.out).isEmpty();
    }
  }

  /** Asserts a usage error: one line on stderr that contains each of the words. */
  public void assertMistake(String words) {
    assertThat(err).startsWith("braid: ").hasLineCount(1);
    for (String word : words.trim().split(" +", -1)) {
      assertThat(err).containsPattern("(?<!\\w(?=\\w))" + Pattern.quote(word) + "(?!(?<=\\w)\\w)");
    }
    assertThat(exitCode).isEqualTo(ExitCodes.USAGE);
  }

  /** Runs a command with a usage error that contains each of the words. */
  static void mistake(String words, String... args) {
    of(args).assertMistake(words);
  }
}
