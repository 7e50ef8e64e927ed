package dev.braid.job;

import dev.braid.exchange.LinkTimeout;
import dev.braid.job.report.Versions;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Braid's command line. */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    descriptionHeading = "%n",
    description = "Trains neural networks inside Apache Flink.",
    commandListHeading = "%nCommands%n")
public final class Main implements Runnable {

  /** Timers count in milliseconds. */
  private static final Duration SHORTEST_LINK_TIMEOUT = Duration.ofMillis(1);

  /** Nothing lasts longer, and nanoseconds of it still fit a long many times over. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern BARE_NUMBER = Pattern.compile("\\s*\\d+\\s*");

  @Spec private CommandSpec spec;

  /** Says which Braid and which Flink this is. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"braid " + Versions.braid()};
    }
  }

  /** Runs a command, and ends the process with its exit code. */
  public static void main(String[] args) {
    ParentWatch.begin();
    // Within Flink's client a success must return to it: the client has more to do.
    if (System.getProperty("braid.launcher") == null) {
      int code = execute(args);
      if (code != ExitCodes.OK) {
        System.exit(code);
      }
      return;
    }
    StandardOutput output = StandardOutput.ofProcess();
    int code = execute(args);
    System.exit(output.isClosed() ? ExitCodes.OUTPUT_CLOSED : code);
  }

  private static int execute(String[] args) {
    CommandLine commandLine = commandLine(Terminal.ofProcess(System.out, System.getenv()));
    return ended(commandLine.execute(args), System.out, commandLine.getErr());
  }

  /** A success is none if its words could not be written, as to a disk that is full. */
  static int ended(int code, PrintStream out, PrintWriter err) {
    if (!out.checkError()) {
      return code;
    }
    err.println("braid: standard output cannot be written to");
    return code == ExitCodes.OK ? ExitCodes.FAILED : code;
  }

  static CommandLine commandLine(Terminal terminal) {
    CommandLine commandLine =
        new CommandLine(new Main())
            .addSubcommand(new TrainCommand(terminal))
            .addSubcommand(new CompareCommand(terminal))
            .addSubcommand(new EvaluateCommand())
            .addSubcommand(new PredictCommand(System.in))
            .addSubcommand(chaos(terminal))
            .addSubcommand(new KafkaCommand())
            .addSubcommand(new HelpCommand());
    registerConverters(commandLine);
    HelpText.addTo(commandLine);
    Examples.addTo(commandLine);
    commandLine.setExecutionStrategy(
        parsed -> {
          Repeats.check(parsed);
          return new CommandLine.RunLast().execute(parsed);
        });
    commandLine.setParameterExceptionHandler(Main::mistake);
    commandLine.setExecutionExceptionHandler(Main::failure);
    return commandLine;
  }

  /** Has a command line read numbers, times and the like as all of Braid's commands do. */
  static void registerConverters(CommandLine commandLine) {
    commandLine.registerConverter(Integer.class, Main::count);
    commandLine.registerConverter(int.class, Main::count);
    commandLine.registerConverter(long.class, Main::wholeNumber);
    commandLine.registerConverter(Long.class, Main::wholeNumber);
    commandLine.registerConverter(Double.class, Main::number);
    commandLine.registerConverter(Duration.class, Main::duration);
    commandLine.registerConverter(LinkTimeout.class, Main::linkTimeout);
  }

  private static CommandLine chaos(Terminal terminal) {
    CommandLine chaos = new CommandLine(new ChaosCommand());
    for (Object command :
        List.of(
            new ChaosOfLinks.Cut(terminal),
            new ChaosOfLinks.Heal(terminal),
            new ChaosOfLinks.Delay(terminal),
            new ChaosOfLinks.Drop(terminal),
            new ChaosOfLinks.Duplicate(terminal),
            new ChaosOfLinks.Reorder(terminal),
            new ChaosOfLinks.Corrupt(terminal),
            new ChaosOfLinks.Throttle(terminal),
            new ChaosOfRanks.Straggle(terminal),
            new ChaosOfRanks.Isolate(terminal),
            new ChaosOfRanks.Rejoin(terminal),
            new ChaosStatus(terminal),
            new ChaosGenerate(terminal),
            new ChaosReplay(terminal))) {
      CommandLine added = new CommandLine(command);
      added.getCommandSpec().mixinStandardHelpOptions(true);
      chaos.addSubcommand(added);
    }
    chaos.addSubcommand(new HelpCommand());
    return chaos;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }

  private static Integer count(String text) {
    try {
      return Math.toIntExact(wholeNumber(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("a smaller number is needed");
    }
  }

  private static Long wholeNumber(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("a whole number is needed");
    }
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("a number is needed");
    }
  }

  private static Duration duration(String text) {
    if (BARE_NUMBER.matcher(text).matches()) {
      // Flink would take it for milliseconds.
      throw new TypeConversionException(
          "a unit is needed: %1$sms, %1$ss or %1$smin".formatted(text.strip()));
    }
    Duration duration;
    try {
      duration = TimeUtils.parseDuration(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new TypeConversionException("a time such as 500ms, 10s or 2min is needed");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new TypeConversionException(LONGEST.toDays() + "d or less is needed");
    }
    return duration;
  }

  private static LinkTimeout linkTimeout(String text) {
    if (text.equals(LinkTimeout.ADAPTIVE.toString())) {
      return LinkTimeout.ADAPTIVE;
    }
    Duration time = duration(text);
    if (time.compareTo(SHORTEST_LINK_TIMEOUT) < 0) {
      throw new TypeConversionException("1ms or more, or adaptive, is needed");
    }
    return new LinkTimeout.Fixed(time);
  }

  private static int mistake(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("braid: " + message(e) + " (see braid " + helpOf(e.getCommandLine()) + "--help)");
    return ExitCodes.USAGE;
  }

  /** What is wrong, and with what. */
  static String message(ParameterException e) {
    ArgSpec argument = e.getArgSpec();
    if (argument instanceof OptionSpec option
        && e.getCause() instanceof TypeConversionException reason) {
      return option.longestName() + " " + e.getValue() + ": " + reason.getMessage();
    }
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    return firstLine(e);
  }

  /** Of an option the name only: what follows it may be its value or not. */
  private static String unknown(UnmatchedArgumentException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String word = e.getUnmatched().get(0).replaceFirst("=.*", "");
    if (word.startsWith("-")) {
      return "Unknown option: '" + word + "'" + Typo.question(word, command.optionsMap().keySet());
    }
    Set<String> commands = command.subcommands().keySet();
    if (!commands.isEmpty()) {
      return unknownCommand(word, commands);
    }
    // Where any number of words may stand, those that are refused are not what is asked for.
    List<PositionalParamSpec> words = command.positionalParameters();
    return words.isEmpty()
        ? "'" + word + "' is not expected here"
        : words.get(0).paramLabel() + " " + word + ": a whole number is needed";
  }

  /** What is wrong with a command that there is not. */
  static String unknownCommand(String word, Set<String> commands) {
    return "no command '"
        + word
        + "'; commands: "
        + String.join(", ", commands)
        + Typo.question(word, commands);
  }

  private static String firstLine(ParameterException e) {
    return e.getMessage().lines().findFirst().orElse("");
  }

  private static String helpOf(CommandLine commandLine) {
    return commandLine.getParent() == null
        ? ""
        : helpOf(commandLine.getParent()) + commandLine.getCommandName() + " ";
  }

  private static int failure(Exception e, CommandLine commandLine, ParseResult parsed) {
    if (e instanceof UsageException) {
      commandLine.getErr().println("braid: " + e.getMessage());
      return ExitCodes.USAGE;
    }
    commandLine.getErr().println("braid: " + TrainCommand.reason(e));
    return ExitCodes.FAILED;
  }
}
