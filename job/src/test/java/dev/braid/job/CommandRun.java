package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** A command as it was run in this JVM, and what it said. */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    int code =
        Main.commandLine(new Terminal(nowhere, false, false, () -> 80))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** Runs a command that is wrong: it says so in one line that has these words. */
  static void mistake(String message, String... args) {
    CommandRun run = of(args);
    assertThat(run.err).startsWith("braid: ").contains(message).hasLineCount(1);
    assertThat(run.exitCode).isEqualTo(ExitCodes.USAGE);
  }
}
