package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.cli.Examples;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Common behaviour of all commands: errors in their names, help, examples. */
class CommandLineTest {

  @Test
  void needsACommand() {
    CommandRun.of()
        .assertMistake(
            "train result compare evaluate predict feed replay models chaos cluster flink kafka help");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          result --folder nowhere | ./braid cluster up
          result --flink x |
          chaos help isolat | isolat
          help trian | trian
          train --exchange rign | ring?
          frobnicate | frobnicate train result compare evaluate
          cluster up -D foo | KEY=VALUE
          train --model . | cnn cnn-cifar logistic mlp
          predict --model ., train --chaos-file . |
          train mnist | mnist
          """)
  void namesTheMistakeInOneLine(String mistakes, String words) {
    CommandRun.assertMistakes("", mistakes, words);
  }

  @Test
  void aSuccessIsNoneIfItsWordsCannotBeWritten() {
    StringWriter err = new StringWriter();
    PrintStream full =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("no space left on device");
              }
            });
    full.println("words");
    assertThat(Main.ended(ExitCodes.OK, full, new PrintWriter(err, true))).isEqualTo(1);
    assertThat(err.toString()).contains("standard output cannot be written to");
    assertThat(Main.ended(ExitCodes.USAGE, full, new PrintWriter(err, true))).isEqualTo(2);
    assertThat(Main.ended(ExitCodes.OK, System.out, new PrintWriter(err, true))).isZero();
  }

  @Test
  void helpOfACommandBelowACommand() {
    assertThat(CommandRun.of("chaos", "help", "send").out())
        .isEqualTo(CommandRun.of("chaos", "send", "--help").out());
    assertThat(CommandRun.of("help").out()).isEqualTo(CommandRun.of("--help").out());
  }

  /** A real shell completes partial words. */
  @Test
  void bashCompletesWords(@TempDir Path folder) throws Exception {
    Path script =
        Files.writeString(folder.resolve("completion"), CommandRun.of("generate-completion").out());
    String ask =
        "source %s; COMP_WORDS=(braid train --checkpoint-i); COMP_CWORD=2; _complete_braid;"
            + " echo ${COMPREPLY[@]}; COMP_WORDS=(braid cha); COMP_CWORD=1; _complete_braid;"
            + " echo ${COMPREPLY[@]}";
    Process bash = new ProcessBuilder("bash", "-c", ask.formatted(script)).start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
        .containsExactly("--checkpoint-interval", "chaos");
  }

  /** Each command has examples, and its parser accepts them. */
  @Test
  void examplesAreCommands() {
    CommandLine braid = Main.commandLine(terminal());
    List<String> commands = new ArrayList<>();
    commands(braid, commands);
    assertThat(commands)
        .contains("braid", "braid train", "braid chaos send")
        .hasSizeGreaterThan(15);
    for (String command : commands) {
      assertThat(Examples.of(command)).as("examples of %s", command).isNotEmpty();
      for (String example : Examples.of(command)) {
        assertThat(example).contains(command.equals("braid cluster") ? "braid " : command);
        String[] words = example.replaceAll("^.*?braid ?| >.*", "").split(" ", -1);
        if (!example.startsWith("./braid kafka") && !example.startsWith("./braid flink")) {
          // Options of kafka and flink are parsed by the broker and by Flink.
          Main.commandLine(terminal()).parseArgs(words);
        }
      }
    }
    assertThat(CommandRun.of("chaos", "send", "--help").out()).containsOnlyOnce("Examples");
    assertThat(CommandRun.of("help", "train").out()).containsOnlyOnce("Examples");
    assertThat(CommandRun.of("train", "--help").out())
        .endsWith("  ./braid train --restore latest --epochs 20\n");
  }

  private static void commands(CommandLine of, List<String> names) {
    if (!of.getCommandName().equals("help")) {
      names.add(of.getCommandSpec().qualifiedName());
      of.getSubcommands().values().forEach(below -> commands(below, names));
    }
  }

  @Test
  void saysItsVersion() {
    String version = CommandRun.of("--version").out();
    assertThat(version).matches("braid \\d+\\.\\d+\\.\\d+\\S*\\s*");
    assertThat(CommandRun.of("version").out()).isEqualTo(version);
    assertThat(CommandRun.of("train", "--version").out()).isEqualTo(version);
    assertThat(CommandRun.of("chaos", "send", "-V").out()).isEqualTo(version);
  }

  private static Terminal terminal() {
    return new Terminal(System.out, false, false, () -> 80);
  }
}
