package dev.braid.job.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.braid.job.console.UsageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of options of {@code braid train}, each with its name without dashes. Options on the
 * command line override them.
 */
public final class RunFile {

  /** Option that names such a file. */
  public static final String OPTION = "--config";

  private static final Pattern OPTION_NAME = Pattern.compile("--([a-z][a-z-]*)");

  private static final YAMLMapper WRITER =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private final String file;
  private final YamlSettings settings;
  private final Set<String> typed;

  private RunFile(String file, YamlSettings settings, Set<String> typed) {
    this.file = file;
    this.settings = settings;
    this.typed = typed;
  }

  /**
   * Reads a file.
   *
   * @param known names of all options, without dashes
   * @param typed names of the options that are also on the command line, without dashes
   * @throws UsageException if the file cannot be read, or an option in it is unknown or has no
   *     value
   */
  public static RunFile read(String file, Set<String> known, Set<String> typed) {
    YamlSettings settings = YamlSettings.ofFile(OPTION, file);
    settings.require(known);
    if (settings.keys().isEmpty()) {
      throw new UsageException(OPTION + " " + file + ": has no option in it");
    }
    return new RunFile(file, settings, typed);
  }

  /** Returns the file's options as arguments, except those also on the command line. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    for (String key : settings.keys()) {
      if (has(key)) {
        words.add("--" + key + "=" + value(key));
      }
    }
    return words;
  }

  private String value(String key) {
    Optional<YamlSettings> nested = settings.settings(key);
    if (nested.isPresent() && key.equals(DataSettings.KEY)) {
      return DataSettings.of(nested.get()).inline();
    }
    return settings.text(key).orElseThrow();
  }

  /** Returns whether the run takes this option, given without dashes, from this file. */
  public boolean has(String option) {
    return settings.keys().contains(option) && !typed.contains(option);
  }

  /** Returns the file's name, as typed. */
  public String file() {
    return file;
  }

  /**
   * Returns this file for a run in which some options have other values, as if these were typed.
   */
  public RunFile without(Collection<String> options) {
    Set<String> all = new HashSet<>(typed);
    options.forEach(option -> all.add(option.substring("--".length())));
    return new RunFile(file, settings, all);
  }

  /** Returns a message about an option, preceded by the option's line. */
  public String located(String message) {
    Matcher option = OPTION_NAME.matcher(message);
    return option.lookingAt() && has(option.group(1))
        ? settings.mistake(option.group(1), message).getMessage()
        : message;
  }

  /**
   * Returns the text of such a file.
   *
   * @param comment its first line
   */
  public static String text(String comment, Map<String, Object> options) {
    try {
      return "# " + comment + "\n" + WRITER.writeValueAsString(options);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
