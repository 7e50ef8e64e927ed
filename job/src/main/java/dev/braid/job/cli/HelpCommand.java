package dev.braid.job.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a command's help; picocli's own goes one command deep, not to {@code chaos cut}. */
@Command(
    name = "help",
    helpCommand = true,
    description = "Shows the help of a command, as 'COMMAND --help' does.")
public final class HelpCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Such as train, or chaos cut.")
  private List<String> words = List.of();

  @Override
  public void run() {
    CommandLine of = spec.commandLine().getParent();
    for (String word : words) {
      CommandLine next = of.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(
            of, Mistakes.unknownCommand(word, of.getSubcommands().keySet()));
      }
      of = next;
    }
    of.usage(spec.commandLine().getOut());
  }
}
