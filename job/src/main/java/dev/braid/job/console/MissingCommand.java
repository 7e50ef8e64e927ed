package dev.braid.job.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The mistake of a command that was given without the subcommand that it needs. */
public final class MissingCommand {

  private MissingCommand() {}

  /** An exception that names the subcommands that there are. */
  public static ParameterException of(CommandSpec spec) {
    return new ParameterException(
        spec.commandLine(), "needs a command: " + String.join(", ", spec.subcommands().keySet()));
  }
}
