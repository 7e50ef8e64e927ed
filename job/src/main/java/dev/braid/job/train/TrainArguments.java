package dev.braid.job.train;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.cli.Converters;
import dev.braid.job.cli.Mistakes;
import dev.braid.job.cli.Repeats;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.OptionScope;
import dev.braid.job.options.TrainOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options of {@code braid train} as they were typed for several runs: what one of them is to have
 * otherwise takes the place of what all have.
 */
public final class TrainArguments {

  private static final String RESTORE = "--restore";

  private final Terminal terminal;

  /** By each option's longest name. */
  private final Map<String, List<String>> given;

  private TrainArguments(Terminal terminal, Map<String, List<String>> given) {
    this.terminal = terminal;
    this.given = given;
  }

  /**
   * Reads arguments.
   *
   * @throws UsageException if an option is unknown, or a value is of the wrong kind
   */
  public static TrainArguments of(List<String> arguments, Terminal terminal) {
    return of(parsed(arguments, terminal).getCommandSpec(), terminal);
  }

  /** What was typed of a command that has been parsed. */
  static TrainArguments of(CommandSpec train, Terminal terminal) {
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (OptionSpec option : train.commandLine().getParseResult().matchedOptions()) {
      given.put(option.longestName(), List.copyOf(option.originalStringValues()));
    }
    return new TrainArguments(terminal, given);
  }

  public boolean has(String option) {
    return given.containsKey(option);
  }

  /** The same with other values for some options. */
  public TrainArguments with(Map<String, String> options) {
    Map<String, List<String>> all = new LinkedHashMap<>(given);
    options.forEach((option, value) -> all.put(option, List.of(value)));
    return new TrainArguments(terminal, all);
  }

  private String typed(String option) {
    return isFlag(option) ? option : option + " " + String.join(" ", given.get(option));
  }

  private boolean isFlag(String option) {
    return new CommandLine(new TrainCommand(terminal))
        .getCommandSpec()
        .findOption(option)
        .typeInfo()
        .isBoolean();
  }

  /**
   * Checks that each means something to a run.
   *
   * @throws UsageException for the first that does not
   */
  public void checkScopes(TrainOptions run) {
    given.keySet().stream()
        .flatMap(option -> OptionScope.of(option).stream())
        .filter(scope -> !scope.appliesTo(run))
        .findFirst()
        .ifPresent(
            scope -> {
              throw scope.mistake(typed(scope.option()));
            });
  }

  /**
   * Checks that data is where it is said to be.
   *
   * @throws UsageException with the place as it is typed, if nothing is there
   */
  public void checkData() {
    for (String place : given.getOrDefault("--data", List.of())) {
      try {
        DataLocation.existing(place);
      } catch (InvalidDataException e) {
        String name = place.substring(place.lastIndexOf('/') + 1);
        throw new UsageException(
            "--data " + e.getMessage() + Typo.question(name, List.of(DataLocation.MNIST)), e);
      }
    }
  }

  /** As they can be typed. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    given.forEach((option, values) -> values.forEach(value -> words.add(option + "=" + value)));
    return words;
  }

  /**
   * Returns the command that resumes a run with these arguments, for a shell.
   *
   * @param command what the arguments follow, such as {@code braid train}
   * @param place of a checkpoint or savepoint, or {@code latest}
   */
  String resuming(String command, String place) {
    StringBuilder line = new StringBuilder(command);
    given.forEach(
        (option, values) -> {
          if (!option.equals(RESTORE)) {
            values.forEach(value -> line.append(' ').append(inShell(option, value)));
          }
        });
    return line.append(' ').append(inShell(RESTORE, place)).toString();
  }

  private String inShell(String option, String value) {
    return isFlag(option) ? option : option + " " + Places.quoted(value);
  }

  /**
   * What they mean.
   *
   * @throws UsageException if a value is impossible
   */
  public TrainOptions options() {
    TrainCommand command = parsed(words(), terminal).getCommand();
    return command.options();
  }

  private static CommandLine parsed(List<String> words, Terminal terminal) {
    CommandLine train = new CommandLine(new TrainCommand(terminal));
    Converters.register(train);
    try {
      Repeats.check(train.parseArgs(words.toArray(String[]::new)));
      return train;
    } catch (ParameterException e) {
      throw new UsageException(Mistakes.message(e) + " (see braid train --help-all)", e);
    }
  }
}
