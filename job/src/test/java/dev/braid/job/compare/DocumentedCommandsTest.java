package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.job.DocumentedCommands;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Commands in the documentation are valid: each option exists and accepts the value. */
class DocumentedCommandsTest {

  static Stream<String> commands() throws IOException {
    return DocumentedCommands.all();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void canBeTyped(String command) {
    CommandLine braid = Main.commandLine(new Terminal(System.out, false, false, () -> 80));
    String[] words =
        DocumentedCommands.words(command).stream()
            .map(word -> word.endsWith(".yaml") ? file(word) : word)
            .toArray(String[]::new);
    ParseResult parsed = braid.parseArgs(words);
    assertThat(parsed.subcommand()).isNotNull();
    String exchange = parsed.subcommand().matchedOptionValue("--exchange", "ring");
    assertThat(ChosenExchange.of(exchange).type()).isNotNull();
    String exchanges = parsed.subcommand().matchedOptionValue(ExchangeSpec.OPTION, "ring");
    assertThat(ExchangeSpec.list(exchanges)).isNotEmpty();
  }

  /** Returns an existing file instead of one that a run or the reader creates. */
  private static String file(String word) {
    String there = word.startsWith("out/") ? "docs/example/run.yaml" : word;
    Path file = DocumentedCommands.ROOT.resolve(there);
    boolean isReaders = !word.contains("/") && Files.notExists(file);
    return (isReaders ? DocumentedCommands.ROOT.resolve("docs/example/sea.yaml") : file).toString();
  }
}
