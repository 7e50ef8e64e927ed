package dev.braid.job;

import dev.braid.job.chaos.ChaosCommand;
import dev.braid.job.chaos.ChaosGenerate;
import dev.braid.job.chaos.ChaosReplay;
import dev.braid.job.chaos.ChaosSend;
import dev.braid.job.chaos.ChaosStatus;
import dev.braid.job.cli.Converters;
import dev.braid.job.cli.Examples;
import dev.braid.job.cli.ExchangesCommand;
import dev.braid.job.cli.HelpText;
import dev.braid.job.cli.JobManagerProgram;
import dev.braid.job.cli.KafkaCommand;
import dev.braid.job.cli.Mistakes;
import dev.braid.job.cli.Repeats;
import dev.braid.job.cluster.ClusterCommand;
import dev.braid.job.cluster.ClusterDown;
import dev.braid.job.cluster.ClusterStatus;
import dev.braid.job.cluster.ClusterUp;
import dev.braid.job.cluster.FlinkCommand;
import dev.braid.job.compare.CompareCommand;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.MissingCommand;
import dev.braid.job.console.ParentWatch;
import dev.braid.job.console.StandardOutput;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.feed.FeedCommand;
import dev.braid.job.models.ModelsCommand;
import dev.braid.job.models.ModelsList;
import dev.braid.job.models.ModelsPrune;
import dev.braid.job.models.ModelsRollback;
import dev.braid.job.models.ModelsShow;
import dev.braid.job.models.ModelsVerify;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.replay.ReplayCommand;
import dev.braid.job.score.ScoreCommand;
import dev.braid.job.scoring.EvaluateCommand;
import dev.braid.job.scoring.ExportCommand;
import dev.braid.job.scoring.PredictCommand;
import dev.braid.job.train.FailureText;
import dev.braid.job.train.MissingLibraries;
import dev.braid.job.train.ResultCommand;
import dev.braid.job.train.TrainCommand;
import dev.braid.run.result.Versions;
import dev.braid.text.Printable;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line of Braid: assembles its commands, runs one and reports failures. */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Trains neural networks inside Apache Flink.",
    commandListHeading = "%nCommands%n")
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  /** Command {@code braid version}: prints the version. */
  @Command(
      name = "version",
      mixinStandardHelpOptions = true,
      description = "Prints the version of Braid.")
  static final class VersionCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Override
    public void run() {
      spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    }
  }

  /** Provider of the version of Braid. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"braid " + Versions.braid()};
    }
  }

  /** Runs a command and ends the process with the command's exit code. */
  public static void main(String[] args) {
    ParentWatch.begin();
    if (System.getProperty("braid.launcher") == null) {
      runInFlink(args);
      return;
    }
    StandardOutput output = StandardOutput.ofProcess();
    int code = execute(args);
    System.exit(output.isClosed() ? ExitCodes.OUTPUT_CLOSED : code);
  }

  /**
   * Runs a command within Flink's client. On success it returns, because the client has more to do.
   */
  private static void runInFlink(String[] args) {
    if (JobManagerProgram.isHere()) {
      JobManagerProgram.run(commandLine(Terminal.ofProcess(System.out, System.getenv())), args);
      return;
    }
    int code = execute(args);
    if (code != ExitCodes.OK) {
      System.exit(code);
    }
  }

  private static int execute(String[] args) {
    try {
      CommandLine commandLine = commandLine(Terminal.ofProcess(System.out, System.getenv()));
      return ended(commandLine.execute(args), System.out, commandLine.getErr());
    } catch (LinkageError e) {
      // This happens in Flink's client if its lib folder lacks these libraries.
      System.err.println("braid: " + MissingLibraries.sentence(e).orElseThrow(() -> e));
      return ExitCodes.USAGE;
    }
  }

  /** Returns the exit code; fails a successful command whose output was lost, as on a full disk. */
  static int ended(int code, PrintStream out, PrintWriter err) {
    if (!out.checkError()) {
      return code;
    }
    err.println("braid: standard output cannot be written to");
    return code == ExitCodes.OK ? ExitCodes.FAILED : code;
  }

  public static CommandLine commandLine(Terminal terminal) {
    CommandLine commandLine =
        new CommandLine(new Main())
            .addSubcommand(new CommandLine(new TrainCommand(terminal)))
            .addSubcommand(new ResultCommand(terminal))
            .addSubcommand(new CommandLine(new CompareCommand(terminal, Main.class)))
            .addSubcommand(new ExchangesCommand())
            .addSubcommand(new EvaluateCommand())
            .addSubcommand(new PredictCommand(System.in, Boolean.getBoolean("braid.keyboard")))
            .addSubcommand(new ExportCommand(terminal))
            .addSubcommand(new ScoreCommand(terminal))
            .addSubcommand(new FeedCommand(terminal))
            .addSubcommand(new ReplayCommand(terminal))
            .addSubcommand(models(terminal))
            .addSubcommand(chaos(terminal))
            .addSubcommand(cluster(terminal))
            .addSubcommand(new FlinkCommand())
            .addSubcommand(new KafkaCommand())
            .addSubcommand(new GenerateCompletion())
            .addSubcommand(new VersionCommand())
            .addSubcommand(new HelpCommand());
    Converters.register(commandLine);
    addVersion(commandLine);
    HelpText.addTo(commandLine);
    HelpText.shorten(commandLine.getSubcommands().get("train"), TrainFlags.COMMON);
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

  /** Adds the option {@code --version} to a command and to its subcommands. */
  private static void addVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new Version());
    command.getSubcommands().values().forEach(Main::addVersion);
  }

  private static CommandLine cluster(Terminal terminal) {
    return new CommandLine(new ClusterCommand())
        .addSubcommand(new ClusterUp(terminal))
        .addSubcommand(new ClusterStatus(terminal))
        .addSubcommand(new ClusterDown(terminal))
        .addSubcommand(new HelpCommand());
  }

  private static CommandLine models(Terminal terminal) {
    return new CommandLine(new ModelsCommand())
        .addSubcommand(new ModelsList(terminal))
        .addSubcommand(new ModelsShow(terminal))
        .addSubcommand(new ModelsRollback(terminal))
        .addSubcommand(new ModelsPrune(terminal))
        .addSubcommand(new ModelsVerify(terminal))
        .addSubcommand(new HelpCommand());
  }

  private static CommandLine chaos(Terminal terminal) {
    CommandLine chaos = new CommandLine(new ChaosCommand());
    for (Object command :
        List.of(
            new ChaosSend(terminal),
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
    throw MissingCommand.of(spec);
  }

  private static int mistake(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println(
        "braid: "
            + Printable.of(located(e))
            + " (see braid "
            + helpOf(e.getCommandLine())
            + "--help)");
    return ExitCodes.USAGE;
  }

  private static String located(ParameterException e) {
    String message = Mistakes.message(e);
    return e.getCommandLine().getCommand() instanceof TrainCommand train
        ? train.located(message)
        : message;
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
    commandLine.getErr().println("braid: " + Printable.of(FailureText.of(e)));
    return ExitCodes.FAILED;
  }
}
