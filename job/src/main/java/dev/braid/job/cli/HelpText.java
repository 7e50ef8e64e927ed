package dev.braid.job.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help that breaks lines only at blanks and shows a command's most common options unless all are
 * requested.
 */
public final class HelpText extends Help {

  private static final String ALL = "--help-all";

  private final Set<String> shown;

  private HelpText(CommandSpec command, ColorScheme colours, Set<String> shown) {
    super(command, colours);
    this.shown = shown;
  }

  /** Sets the help of a command and of its subcommands. */
  public static void addTo(CommandLine command) {
    command.setHelpFactory(
        (spec, colours) -> new HelpText(spec, colours, spec.optionsMap().keySet()));
  }

  /** Makes the help of a command show only these options, and all of them with {@value #ALL}. */
  public static void shorten(CommandLine command, Set<String> common) {
    OptionSpec all =
        OptionSpec.builder(ALL)
            .type(boolean.class)
            .usageHelp(true)
            .description("Show all options and exit.")
            .build();
    command.getCommandSpec().addOption(all);
    command.setHelpFactory(
        (spec, colours) -> {
          boolean isWanted = Boolean.TRUE.equals(all.getValue());
          return new HelpText(spec, colours, isWanted ? spec.optionsMap().keySet() : common);
        });
  }

  private boolean isShown(OptionSpec option) {
    return shown.contains(option.longestName()) || option.usageHelp() || option.versionHelp();
  }

  /** Returns the groups with at least one option to show; any other would be only a heading. */
  @Override
  public List<ArgGroupSpec> optionSectionGroups() {
    return super.optionSectionGroups().stream()
        .filter(group -> group.allOptionsNested().stream().anyMatch(this::isShown))
        .toList();
  }

  @Override
  public Layout createDefaultLayout(
      List<OptionSpec> options, List<PositionalParamSpec> positionals, ColorScheme colours) {
    int names = calcLongOptionColumnWidth(options, positionals, colours);
    return new Layout(
        colours,
        TextTable.forDefaultColumns(colours, names, commandSpec().usageMessage().width()),
        createDefaultOptionRenderer(),
        createDefaultParameterRenderer()) {
      @Override
      public void addOption(OptionSpec option, IParamLabelRenderer label) {
        if (isShown(option)) {
          super.addOption(option, label);
        }
      }

      @Override
      public void layout(ArgSpec arg, Text[][] rows) {
        super.layout(
            arg,
            Arrays.stream(rows)
                .flatMap(row -> wrapped(row, table).stream())
                .toArray(Text[][]::new));
      }
    };
  }

  /** Returns an empty line. */
  @Override
  public String descriptionHeading(Object... params) {
    return System.lineSeparator();
  }

  /** Returns the description and an empty line. */
  @Override
  public String description(Object... params) {
    int width = commandSpec().usageMessage().width();
    return Arrays.stream(commandSpec().usageMessage().description())
            .flatMap(text -> String.format(Locale.ROOT, text + "%n", params).lines())
            .flatMap(line -> lines(line, width, line.startsWith(" ") ? "    " : "").stream())
            .collect(Collectors.joining(System.lineSeparator()))
            .stripTrailing()
        + System.lineSeparator().repeat(2);
  }

  private static List<Text[]> wrapped(Text[] row, TextTable table) {
    int last = row.length - 1;
    Column column = table.columns()[last];
    String indent = " ".repeat(table.indentWrappedLines);
    List<Text[]> rows = new ArrayList<>();
    for (String line : lines(row[last].plainString(), column.width - column.indent, indent)) {
      Text[] cells = row.clone();
      if (!rows.isEmpty()) {
        Arrays.fill(cells, 0, last, Ansi.OFF.new Text(0));
      }
      cells[last] = Ansi.OFF.new Text(line);
      rows.add(cells);
    }
    return rows;
  }

  /**
   * Wraps a text at blanks. Picocli would also break it at punctuation, within file names and URIs.
   *
   * @param indent blanks before all lines but the first
   */
  private static List<String> lines(String text, int width, String indent) {
    List<String> lines = new ArrayList<>();
    String left = text;
    while (left.length() > width) {
      int end = left.lastIndexOf(' ', width);
      if (left.substring(0, Math.max(end, 0)).isBlank()) {
        break;
      }
      lines.add(left.substring(0, end));
      left = indent + left.substring(end + 1);
    }
    lines.add(left);
    return lines;
  }
}
