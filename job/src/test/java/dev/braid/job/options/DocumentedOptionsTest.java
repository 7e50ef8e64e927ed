package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.DocumentedCommands;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The reference of options lists the options of {@code braid train}: all, and no others. */
class DocumentedOptionsTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`--[^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`(--[a-z-]+)");

  /** Options of every command. */
  private static final Set<String> OF_ALL = Set.of("--help", "--help-all", "--version");

  @Test
  void theReferenceHasAllOptions() throws IOException {
    CommandLine braid = Main.commandLine(new Terminal(System.out, false, false, () -> 80));
    CommandSpec train = braid.getSubcommands().get("train").getCommandSpec();
    Set<String> options = new TreeSet<>();
    train.options().stream().map(OptionSpec::longestName).forEach(options::add);
    options.removeAll(OF_ALL);

    Set<String> documented = new TreeSet<>();
    Matcher row =
        ROW.matcher(Files.readString(DocumentedCommands.ROOT.resolve("docs/reference/options.md")));
    while (row.find()) {
      NAME.matcher(row.group(1)).results().map(name -> name.group(1)).forEach(documented::add);
    }
    assertThat(documented).isEqualTo(options);
  }
}
