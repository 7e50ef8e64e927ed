package dev.braid.job.cli;

import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Help that shows some of a command's options only, unless all are asked for. */
public final class HelpText extends Help {

  private static final String ALL = "--help-all";

  private final Set<String> shown;

  private HelpText(CommandSpec command, ColorScheme colours, Set<String> shown) {
    super(command, colours);
    this.shown = shown;
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
        if (shown.contains(option.longestName()) || option.usageHelp() || option.versionHelp()) {
          super.addOption(option, label);
        }
      }
    };
  }
}
