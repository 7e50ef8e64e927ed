package dev.braid.job.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Error of a command that needs a subcommand and has none. */
public final class MissingCommand {

  private MissingCommand() {}

  /** Returns an exception that lists the available subcommands. */
  public static ParameterException of(CommandSpec spec) {
    return new ParameterException(
        spec.commandLine(), "needs a command: " + String.join(", ", spec.subcommands().keySet()));
  }
}
