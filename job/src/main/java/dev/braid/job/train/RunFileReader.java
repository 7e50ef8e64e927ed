package dev.braid.job.train;

import dev.braid.job.config.RunFile;
import dev.braid.job.console.UsageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.stream.Collectors;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Preprocessor that adds the options of a run file to those on the command line before picocli
 * parses them, so that all are converted and checked in the same way.
 */
final class RunFileReader implements IParameterPreprocessor {

  @Override
  public boolean preprocess(
      Stack<String> words, CommandSpec spec, ArgSpec argument, Map<String, Object> info) {
    // The first word is on top.
    List<String> typed = new ArrayList<>(words);
    Collections.reverse(typed);
    Set<String> options =
        typed.stream()
            .filter(word -> word.startsWith("--"))
            .map(word -> word.substring(2).replaceFirst("=.*", ""))
            .collect(Collectors.toSet());
    Set<String> known =
        spec.options().stream()
            .filter(option -> !option.usageHelp() && !option.versionHelp())
            .map(option -> option.longestName().substring(2))
            .filter(name -> !RunFile.OPTION.equals("--" + name))
            .collect(Collectors.toSet());
    try {
      named(typed)
          .map(file -> RunFile.read(file, known, options))
          .ifPresent(
              file -> {
                ((TrainCommand) spec.userObject()).readFrom(file);
                words.addAll(file.words());
              });
    } catch (UsageException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return false;
  }

  private static Optional<String> named(List<String> typed) {
    for (int i = 0; i < typed.size(); i++) {
      String word = typed.get(i);
      if (word.startsWith(RunFile.OPTION + "=")) {
        return Optional.of(word.substring(RunFile.OPTION.length() + 1));
      }
      if (word.equals(RunFile.OPTION) && i + 1 < typed.size()) {
        return Optional.of(typed.get(i + 1));
      }
    }
    return Optional.empty();
  }
}
