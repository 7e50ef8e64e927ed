package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Commands that pages show can be typed: each option is there, and has such values. */
class DocumentedCommandsTest {

  private static final Path ROOT = Path.of("..");

  /** In a line of its own; what a shell makes of the rest is not read. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}\\./braid ([^|>#;&\\n]+)");

  /** Between blanks, or in quotes. */
  private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");

  /** The words of Flink before the arguments of a job on a cluster. */
  private static final String JAR = ".*job/target/braid\\.jar ";

  static Stream<String> commands() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
        Stream<Path> benches = Files.list(ROOT.resolve("bench"))) {
      List<Path> pages =
          Stream.concat(
                  Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
                  Stream.concat(docs, benches).filter(file -> file.toString().endsWith(".md")))
              .toList();
      return pages.stream()
          .flatMap(page -> COMMAND.matcher(read(page)).results())
          .map(command -> command.group(1).replace("…", "").replaceFirst(JAR, "").strip())
          // These two are the launcher's.
          .filter(command -> !command.startsWith("kafka") && !command.startsWith("flink"))
          .distinct();
    }
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void canBeTyped(String command) {
    CommandLine braid = Main.commandLine(new Terminal(System.out, false, false, () -> 80));
    String[] words =
        WORD.matcher(command)
            .results()
            .map(word -> word.group().replace("'", ""))
            .map(word -> word.endsWith(".yaml") ? ROOT.resolve(word).toString() : word)
            .toArray(String[]::new);
    ParseResult parsed = braid.parseArgs(words);
    assertThat(parsed.subcommand()).isNotNull();
    String exchange = parsed.subcommand().matchedOptionValue("--exchange", "ring");
    assertThat(ChosenExchange.of(exchange).type()).isNotNull();
    String exchanges = parsed.subcommand().matchedOptionValue(ExchangeSpec.OPTION, "ring");
    assertThat(ExchangeSpec.list(exchanges)).isNotEmpty();
  }
}
