package dev.braid.job.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help whose lines end between words only, so that a file's name or a value can be copied in one
 * piece. Picocli's own lines also end within {@code best.zip}, as texts of other languages may.
 */
public final class HelpText extends Help {

  /** Between the two columns of a list. */
  private static final int GAP = 3;

  private static final int INDENT = 2;

  private static final String ALL = "--help-all";

  private final Set<String> shown;

  private HelpText(CommandSpec command, ColorScheme colours, Set<String> common) {
    super(command, colours);
    this.shown = common;
  }

  /** Has a command, and all below it, show its help so. */
  public static void addTo(CommandLine braid) {
    braid.setHelpFactory(
        (command, colours) -> new HelpText(command, colours, command.optionsMap().keySet()));
  }

  /** Has a command show some of its options only, unless all are asked for. */
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

  @Override
  public Layout createDefaultLayout(
      List<OptionSpec> options, List<PositionalParamSpec> positionals, ColorScheme colours) {
    int names = calcLongOptionColumnWidth(options, positionals, colours);
    Column[] columns = TextTable.forDefaultColumns(colours, names, width()).columns();
    return new Layout(
        colours,
        new WordTable(colours, columns),
        createDefaultOptionRenderer(),
        createDefaultParameterRenderer()) {
      @Override
      public void addOption(OptionSpec option, IParamLabelRenderer label) {
        if (shown.contains(option.longestName()) || option.usageHelp() || option.versionHelp()) {
          super.addOption(option, label);
        }
      }
    };
  }

  @Override
  public String description(Object... params) {
    return paragraphs(commandSpec().usageMessage().description(), params);
  }

  @Override
  public String footer(Object... params) {
    return paragraphs(commandSpec().usageMessage().footer(), params);
  }

  private String paragraphs(String[] lines, Object... params) {
    WordTable table = new WordTable(colorScheme(), wrapped(width(), 0));
    table.indentWrappedLines = 0;
    for (String line : lines) {
      table.addRowValues(line.formatted(params));
    }
    return table.toString();
  }

  @Override
  public TextTable createTextTable(Map<?, ?> pairs) {
    WordTable table = list(pairs);
    pairs.forEach((key, value) -> table.addRowValues(key.toString(), value.toString().formatted()));
    return table;
  }

  @Override
  public String commandList(Map<String, Help> commands) {
    WordTable table = list(commands);
    commands.forEach(
        (name, help) -> {
          String[] description = help.commandSpec().usageMessage().description();
          table.addRowValues(name, description.length == 0 ? "" : description[0].formatted());
        });
    return table.toString();
  }

  /** Two columns, for a command that shows more than its help. */
  static String list(CommandSpec command, Map<String, String> pairs) {
    HelpText text = new HelpText(command, defaultColorScheme(Ansi.OFF), Set.of());
    WordTable table = text.list(pairs);
    pairs.forEach(table::addRowValues);
    return table.toString();
  }

  /** Paragraphs with an empty line behind each; those without words are left out. */
  static String paragraphs(CommandSpec command, String... paragraphs) {
    HelpText text = new HelpText(command, defaultColorScheme(Ansi.OFF), Set.of());
    WordTable table = new WordTable(text.colorScheme(), wrapped(text.width(), 0));
    table.indentWrappedLines = 0;
    for (String paragraph : paragraphs) {
      if (!paragraph.isEmpty()) {
        table.addRowValues(paragraph);
        table.addRowValues("");
      }
    }
    return table.toString();
  }

  private WordTable list(Map<?, ?> pairs) {
    int names = pairs.keySet().stream().mapToInt(key -> key.toString().length()).max().orElse(0);
    int first = names + GAP;
    return new WordTable(
        colorScheme(),
        new Column(first, INDENT, Column.Overflow.SPAN),
        wrapped(width() - first, INDENT));
  }

  @Override
  protected String insertSynopsisCommandName(int headingLength, Text arguments) {
    String name = commandSpec().qualifiedName();
    WordTable table = new WordTable(colorScheme(), wrapped(width(), 0));
    table.indentWrappedLines = headingLength + name.length() + 1;
    Text heading = colorScheme().text("X".repeat(headingLength));
    table.addRowValues(heading.concat(colorScheme().commandText(name)).concat(arguments));
    // The heading itself is shown by whoever asks for this.
    return table.toString().substring(headingLength);
  }

  private int width() {
    return commandSpec().usageMessage().width();
  }

  private static Column wrapped(int width, int indent) {
    return new Column(width, indent, Column.Overflow.WRAP);
  }

  /** A table in whose cells lines end at blanks. */
  private static final class WordTable extends TextTable {

    private final ColorScheme colours;

    WordTable(ColorScheme colours, Column... columns) {
      super(colours, columns);
      this.colours = colours;
    }

    @Override
    public Cell putValue(int row, int col, Text value) {
      Column column = columns()[col];
      if (column.overflow != Column.Overflow.WRAP) {
        return super.putValue(row, col, value);
      }
      Text left = value;
      int room = column.width - column.indent;
      int last = row;
      String indent = "";
      while (left.plainString().length() > room) {
        int end = lineEnd(left.plainString(), room);
        super.putValue(last, col, indented(indent, left.substring(0, end)));
        left = left.substring(next(left.plainString(), end));
        addEmptyRow();
        last++;
        indent = " ".repeat(indentWrappedLines);
        room = column.width - column.indent - indentWrappedLines;
      }
      return super.putValue(last, col, indented(indent, left));
    }

    private Text indented(String indent, Text line) {
      return indent.isEmpty() ? line : colours.text(indent).concat(line);
    }

    /**
     * Where the last word ends that there is room for; of a word that is longer, where room ends.
     */
    private static int lineEnd(String text, int room) {
      int blank = text.lastIndexOf(' ', room);
      return text.substring(0, Math.max(0, blank)).isBlank() ? room : blank;
    }

    /** Where the next word begins. */
    private static int next(String text, int end) {
      int begin = end;
      while (begin < text.length() && text.charAt(begin) == ' ') {
        begin++;
      }
      return begin;
    }
  }
}
