package dev.braid.job.train;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.cli.Converters;
import dev.braid.job.cli.Mistakes;
import dev.braid.job.cli.Repeats;
import dev.braid.job.config.DataSettings;
import dev.braid.job.config.RunFile;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.plan.RunPlan;
import dev.braid.learner.model.ModelSpec;
import dev.braid.run.result.EarlierResults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options of {@code braid train} as typed, for commands that start several runs and replace some
 * options for each.
 */
public final class TrainArguments {

  private static final String RESTORE = "--restore";
  private static final String DATA = "--data";

  /** Options that the run's record contains completely. */
  private static final Set<String> RECORDED =
      Set.of("--exchange", RESTORE, "--workers", "--epochs", "--batch");

  /** Options for watching a run, which do not affect its result. */
  private static final Set<String> WATCHING =
      Set.of("--page", "--web-port", "--metrics-port", "--client-timeout");

  private final Terminal terminal;

  /** Values by each option's longest name, including those of the run file. */
  private final Map<String, List<String>> given;

  /** The parsed command. */
  private final CommandSpec train;

  private final Optional<RunFile> runFile;

  private TrainArguments(
      Terminal terminal,
      Map<String, List<String>> given,
      CommandSpec train,
      Optional<RunFile> runFile) {
    this.terminal = terminal;
    this.given = given;
    this.train = train;
    this.runFile = runFile;
  }

  /**
   * Parses arguments.
   *
   * @throws UsageException if an option is unknown, or a value has the wrong type
   */
  public static TrainArguments of(List<String> arguments, Terminal terminal) {
    return of(parsed(arguments, terminal).getCommandSpec(), terminal);
  }

  /** Returns the arguments of a command that has been parsed. */
  static TrainArguments of(CommandSpec train, Terminal terminal) {
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (OptionSpec option : train.commandLine().getParseResult().matchedOptions()) {
      given.put(option.longestName(), List.copyOf(option.originalStringValues()));
    }
    given.remove(RunFile.OPTION);
    return new TrainArguments(
        terminal, given, train, ((TrainCommand) train.userObject()).runFile());
  }

  /** Returns whether an option is on the command line instead of in a run file. */
  public boolean isTyped(String option) {
    return given.containsKey(option) && !isOfFile(option);
  }

  private boolean isOfFile(String option) {
    return runFile.filter(file -> file.has(option.substring("--".length()))).isPresent();
  }

  /** Returns these arguments without some options. */
  public TrainArguments without(Collection<String> options) {
    Map<String, List<String>> all = new LinkedHashMap<>(given);
    all.keySet().removeAll(options);
    return new TrainArguments(terminal, all, train, runFile.map(file -> file.without(options)));
  }

  /** Returns these arguments with other values for some options. */
  public TrainArguments with(Map<String, String> options) {
    Map<String, List<String>> all = new LinkedHashMap<>(given);
    options.forEach((option, value) -> all.put(option, List.of(value)));
    return new TrainArguments(
        terminal, all, train, runFile.map(file -> file.without(options.keySet())));
  }

  private boolean isFlag(String option) {
    return train.findOption(option).typeInfo().isBoolean();
  }

  /** Returns the data as read when the command was parsed, because its file may have changed. */
  private DataSettings data() {
    return train.findOption(DATA).getValue();
  }

  /**
   * Checks that the data exists.
   *
   * @throws UsageException with the place as typed, if it does not
   */
  public void checkData() {
    String place = data().place();
    try {
      DataLocation.existing(place);
    } catch (InvalidDataException e) {
      String name = place.substring(place.lastIndexOf('/') + 1);
      throw new UsageException(
          "--data " + e.getMessage() + Typo.question(name, List.of(DataLocation.MNIST)), e);
    }
  }

  /** Returns the arguments as they can be typed. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    given.forEach((option, values) -> values.forEach(value -> words.add(option + "=" + value)));
    return words;
  }

  /**
   * Returns the command that resumes a run with these arguments, for a shell.
   *
   * @param command before the arguments, such as {@code braid train}
   * @param place location of a checkpoint or savepoint, or {@code latest}
   */
  String resuming(String command, String place) {
    StringBuilder line = new StringBuilder(command);
    runFile.ifPresent(file -> line.append(' ').append(inShell(RunFile.OPTION, file.file())));
    given.forEach(
        (option, values) -> {
          if (!option.equals(RESTORE) && !isOfFile(option)) {
            values.forEach(value -> line.append(' ').append(inShell(option, value)));
          }
        });
    return line.append(' ').append(inShell(RESTORE, place)).toString();
  }

  private String inShell(String option, String value) {
    return isFlag(option) && !value.equals("false")
        ? option
        : option + (isFlag(option) ? "=" : " ") + Places.quoted(value);
  }

  /**
   * Returns the text of a run file that repeats a run, with the defaults that it has chosen.
   *
   * @param plan plan of the run with these arguments
   */
  String complete(RunPlan plan) {
    Map<String, Object> options = new LinkedHashMap<>();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put(DataSettings.PLACE, data().place());
    plan.record()
        .properties()
        .forEach(
            recorded -> {
              if (DataSettings.has(recorded.getKey())) {
                data.put(recorded.getKey(), recorded.getValue());
              } else if (train.findOption("--" + recorded.getKey()) != null) {
                options.put(recorded.getKey(), recorded.getValue());
              }
            });
    // A model's file has its own optimiser, with more settings than the options express.
    if (!ModelSpec.isPreset(plan.options().model())) {
      options.keySet().removeAll(Set.of("updater", "learning-rate"));
    } else if (plan.options().samples().location().isTable()) {
      data.putIfAbsent("standardize", false);
    }
    data.putIfAbsent("validation", 0);
    // Places stay as typed, because they are in other folders on another machine.
    options.put("out", "out");
    // If none is typed, the cluster's folder is used.
    options.remove("checkpoint-dir");
    given.forEach(
        (option, values) -> {
          String name = option.substring("--".length());
          boolean isNumber = options.get(name) instanceof JsonNode known && known.isNumber();
          boolean isElsewhere =
              RECORDED.contains(option) || WATCHING.contains(option) || DataSettings.has(name);
          if (!isElsewhere && !isNumber) {
            options.put(
                name,
                isFlag(option) ? (Object) !values.get(0).equals("false") : wherever(values.get(0)));
          }
        });
    options.put(
        DataSettings.KEY, plan.options().samples().stream().isPresent() ? data().written() : data);
    return RunFile.text("All options of a run; 'braid train --config' repeats the run.", options);
  }

  /**
   * Returns a place. If it is a file that was moved away with an earlier run's results, returns its
   * new place.
   */
  private static String wherever(String value) {
    boolean mayBeFile = value.contains(".") && !value.contains(":/");
    return mayBeFile && !Files.exists(Path.of(value))
        ? EarlierResults.latest(Path.of(value)).map(Path::toString).orElse(value)
        : value;
  }

  /**
   * Returns the parsed options.
   *
   * @throws UsageException if a value is impossible
   */
  public TrainOptions options() {
    try {
      TrainCommand command = parsed(words(), terminal).getCommand();
      return command.options();
    } catch (UsageException e) {
      throw located(e);
    }
  }

  /** Returns an error with its line in the run file, if its option is from there. */
  UsageException located(UsageException mistake) {
    String message = mistake.getMessage();
    String inData = message.startsWith(DATA) ? data().located(message) : message;
    return new UsageException(runFile.map(file -> file.located(inData)).orElse(inData), mistake);
  }

  private static CommandLine parsed(List<String> words, Terminal terminal) {
    CommandLine train = new CommandLine(new TrainCommand(terminal));
    Converters.register(train);
    try {
      Repeats.check(train.parseArgs(words.toArray(String[]::new)));
      return train;
    } catch (ParameterException e) {
      TrainCommand command = train.getCommand();
      throw new UsageException(
          command.located(Mistakes.message(e)) + " (see braid train --help-all)", e);
    }
  }
}
