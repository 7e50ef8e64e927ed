package dev.braid.job.cli;

import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Check for options that are given twice. Picocli does not refuse them for options in groups: a
 * repeated option begins another group, in which all other options have their defaults again.
 */
public final class Repeats {

  private Repeats() {}

  /**
   * Checks the arguments of the last subcommand.
   *
   * @throws ParameterException if a single-valued option is given more than once
   */
  public static void check(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandSpec spec = last.commandSpec();
    Set<OptionSpec> seen = new HashSet<>();
    for (String word : last.expandedArgs()) {
      // Picocli also finds options by their names without dashes, but a word like "out" may be a
      // folder.
      OptionSpec option =
          word.startsWith("-") ? spec.findOption(word.replaceFirst("=.*", "")) : null;
      if (option != null && !option.isMultiValue() && !seen.add(option)) {
        throw new ParameterException(
            spec.commandLine(), option.longestName() + " is given more than once");
      }
    }
  }
}
