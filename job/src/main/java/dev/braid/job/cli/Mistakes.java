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

/** What to say of a command line that cannot be read. */
public final class Mistakes {

  private Mistakes() {}

  /** What is wrong, and with what. */
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

  /** Picocli's own words for that name the option twice. */
  private static boolean isNoPair(ParameterException e) {
    return e.getValue() != null && firstLine(e).contains(" should be in KEY=VALUE format ");
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
    return "'" + word + "' is not expected here";
  }

  /** What is wrong with a command that there is not. */
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
