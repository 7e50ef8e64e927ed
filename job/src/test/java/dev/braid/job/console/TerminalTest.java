package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(new PrintStream(shown, true, StandardCharsets.UTF_8), true, false, () -> 80);

  /** A thread that follows the job may be late. */
  @Test
  void behindTheLastLineNoneIsUpdated() {
    terminal.update("epoch 3 of 8");
    terminal.printLast("stopped");
    terminal.update("epoch 3 of 8");
    assertThat(shown.toString(StandardCharsets.UTF_8)).endsWith("stopped" + System.lineSeparator());
    terminal.print("and a line");
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .endsWith("and a line" + System.lineSeparator());
  }
}
