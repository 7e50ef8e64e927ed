package dev.braid.job.cli;

import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages for command lines that cannot be parsed. */
public final class Mistakes {

  private Mistakes() {}

  /** Returns a one-line message that names the faulty option or word and the error. */
  public static String message(ParameterException e) {
    if (e.getCause() instanceof UsageException mistake) {
      return mistake.getMessage();
    }
    ArgSpec argument = e.getArgSpec();
    if (argument instanceof OptionSpec option
        && e.getCause() instanceof TypeConversionException reason) {
      return option.longestName() + " " + e.getValue() + ": " + reason.getMessage();
    }
    if (argument instanceof OptionSpec option && option.isMultiValue() && isNoPair(e)) {
      return option.longestName() + " " + e.getValue() + ": needs a value, " + option.paramLabel();
    }
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    return firstLine(e);
  }

  /**
   * Returns whether a value lacks its key or value; Picocli's own message would name the option
   * twice.
   */
  private static boolean isNoPair(ParameterException e) {
    return e.getValue() != null && firstLine(e).contains(" should be in KEY=VALUE format ");
  }

  /**
   * Describes an unknown word. It names only the part before {@code =}, since the rest may be a
   * value.
   */
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
    return "'" + word + "' is not expected here";
  }

  /** Describes a subcommand that does not exist. */
  private static String unknownCommand(String word, Set<String> commands) {
    return "no command '"
        + word
        + "'; commands: "
        + String.join(", ", commands)
        + Typo.question(word, commands);
  }

  private static String firstLine(ParameterException e) {
    return e.getMessage().lines().findFirst().orElse("");
  }
}
