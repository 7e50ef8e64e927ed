package dev.braid.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options of {@code braid train} as they were typed for several runs: what one of them is to have
 * otherwise takes the place of what all have.
 */
final class TrainArguments {

  private final Terminal terminal;

  /** By each option's longest name. */
  private final Map<String, List<String>> given;

  private TrainArguments(Terminal terminal, Map<String, List<String>> given) {
    this.terminal = terminal;
    this.given = given;
  }

  /**
   * Reads arguments, and checks all that can be told of them as they are.
   *
   * @param like a command line whose streams are for errors
   * @throws ParameterException if an option is unknown, or lacks its value
   */
  static TrainArguments of(List<String> arguments, Terminal terminal, CommandLine like) {
    CommandLine train = trainCommand(terminal).setErr(like.getErr());
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (OptionSpec option : train.parseArgs(arguments.toArray(String[]::new)).matchedOptions()) {
      given.put(option.longestName(), List.copyOf(option.originalStringValues()));
    }
    return new TrainArguments(terminal, given);
  }

  boolean has(String option) {
    return given.containsKey(option);
  }

  /** The same with other values for some options. */
  TrainArguments with(Map<String, String> options) {
    Map<String, List<String>> all = new LinkedHashMap<>(given);
    options.forEach((option, value) -> all.put(option, List.of(value)));
    return new TrainArguments(terminal, all);
  }

  /** As they can be typed. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    given.forEach((option, values) -> values.forEach(value -> words.add(option + "=" + value)));
    return words;
  }

  /**
   * What they mean.
   *
   * @throws UsageException if a value is impossible
   */
  TrainOptions options() {
    CommandLine train = trainCommand(terminal);
    try {
      train.parseArgs(words().toArray(String[]::new));
    } catch (ParameterException e) {
      throw new UsageException(Main.message(e), e);
    }
    TrainCommand command = train.getCommand();
    return command.options();
  }

  private static CommandLine trainCommand(Terminal terminal) {
    return Main.commandLine(terminal).getSubcommands().get("train");
  }
}
