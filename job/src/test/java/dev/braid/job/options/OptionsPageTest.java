package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The reference page of all commands agrees with their help. With {@code -Dbraid.pages=write}, the
 * test writes the page.
 */
class OptionsPageTest {

  private static final Path PAGE = Path.of("../docs/reference/options.md");

  private static final String DEFAULT = "Default: ";

  /** Page that help names, relative to Braid's folder. */
  private static final Pattern DOCUMENT = Pattern.compile("docs/([a-z-]+)/([a-z-]+\\.md)");

  private static final String START =
      """
      # Options of each command

      This page lists every command of `./braid` with its options and their defaults. Each command also has
      `--help` and `--version`; `./braid train --help-all` shows all options of `train`. A file of options
      (`--config`) has the same names without the dashes. [Options of training, explained](training.md) says
      more about some options.
      """;

  @Test
  void thePageHasTheOptionsOfEachCommand() throws IOException {
    String page = page();
    if ("write".equals(System.getProperty("braid.pages"))) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as("to write the page: -Dtest=OptionsPageTest -Dbraid.pages=write")
        .content()
        .isEqualTo(page);
  }

  private static String page() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return START
        + commands(Main.commandLine(new Terminal(nowhere, false, false, () -> 80)))
            .map(OptionsPageTest::section)
            .collect(Collectors.joining());
  }

  /** Returns each command and its subcommands, without picocli's own. */
  private static Stream<CommandSpec> commands(CommandLine parent) {
    return parent.getSubcommands().values().stream()
        .filter(it -> !it.getCommand().getClass().getName().startsWith("picocli."))
        .flatMap(it -> Stream.concat(Stream.of(it.getCommandSpec()), commands(it)));
  }

  private static String section(CommandSpec command) {
    String name = command.qualifiedName().replaceFirst("^braid ", "");
    String about =
        Arrays.stream(command.usageMessage().description())
            .map(line -> line.replace("%n", "").strip())
            .filter(line -> !line.isEmpty() && !line.contains("--help-all shows"))
            .map(line -> "\n" + escape(line) + "\n")
            .collect(Collectors.joining());
    return "\n## `%s`\n%s\n%s".formatted(name, about, tables(command));
  }

  private static String tables(CommandSpec command) {
    Map<String, StringBuilder> rows = new LinkedHashMap<>();
    // Options without a group come first.
    rows.put("", new StringBuilder());
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      add(rows, parameter, parameter.paramLabel());
    }
    for (OptionSpec option : command.options()) {
      if (!option.usageHelp() && !option.versionHelp() && !option.hidden()) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        add(rows, option, option.longestName() + value);
      }
    }
    StringBuilder tables = new StringBuilder();
    rows.values().removeIf(StringBuilder::isEmpty);
    rows.forEach(
        (group, lines) ->
            tables
                .append(group.isEmpty() ? "" : "\n### " + group + "\n\n")
                .append("| option | meaning | default |\n|---|---|---|\n")
                .append(lines));
    return tables.toString();
  }

  private static void add(Map<String, StringBuilder> rows, ArgSpec arg, String shown) {
    List<String> description = List.of(arg.description());
    String meaning =
        description.stream()
            .filter(line -> !line.startsWith(DEFAULT))
            .map(String::strip)
            .collect(Collectors.joining(" "));
    String byDefault =
        description.stream()
            .filter(line -> line.startsWith(DEFAULT))
            .map(line -> line.substring(DEFAULT.length()))
            .map(
                line ->
                    line.equals("${DEFAULT-VALUE}") ? "`" + arg.defaultValueString() + "`" : line)
            .collect(Collectors.joining());
    rows.computeIfAbsent(group(arg), title -> new StringBuilder())
        .append(
            "| `%s` | %s | %s |\n".formatted(escape(shown), escape(meaning), escape(byDefault)));
  }

  /** Returns the first word of the heading of an option's group or its parent; empty without. */
  private static String group(ArgSpec arg) {
    return Stream.iterate(arg.group(), Objects::nonNull, ArgGroupSpec::parentGroup)
        .map(ArgGroupSpec::heading)
        .filter(Objects::nonNull)
        .map(heading -> heading.replace("%n", "").replaceFirst(",.*", ""))
        .findFirst()
        .orElse("");
  }

  private static String escape(String text) {
    String plain = text.replace("%%", "%").replace("|", "\\|").replace("<", "&lt;");
    return DOCUMENT.matcher(plain).replaceAll("[$0](../$1/$2)");
  }
}
