package dev.braid.job.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help that breaks descriptions of options only at blanks, and that shows some of a command's
 * options only, unless all are asked for.
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

  /** Has a command show these options, and all with {@value #ALL}. */
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

  /** Returns the groups with at least one option to show: others would be a heading only. */
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

  /**
   * Wraps the last cell of a row at blanks. Picocli would also break at punctuation, in the middle
   * of names of files and of URIs.
   */
  private static List<Text[]> wrapped(Text[] row, TextTable table) {
    int last = row.length - 1;
    Column column = table.columns()[last];
    int width = column.width - column.indent;
    List<Text[]> rows = new ArrayList<>();
    Text[] next = row.clone();
    Text left = row[last];
    String indent = "";
    while (true) {
      String plain = left.plainString();
      int end = plain.lastIndexOf(' ', width - indent.length());
      if (plain.length() <= width - indent.length() || end <= 0) {
        next[last] = indented(left, indent);
        rows.add(next);
        return rows;
      }
      next[last] = indented(left.substring(0, end), indent);
      rows.add(next);
      left = left.substring(end + 1);
      next = row.clone();
      Arrays.fill(next, 0, last, Ansi.OFF.new Text(0));
      indent = " ".repeat(table.indentWrappedLines);
    }
  }

  private static Text indented(Text text, String indent) {
    return indent.isEmpty() ? text : Ansi.OFF.new Text(indent).concat(text);
  }
}
