package dev.braid.job.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.braid.job.console.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Options of {@code braid train} in a file: each by its name, without dashes. What is typed as well
 * goes before it.
 */
public final class RunFile {

  /** The option that names such a file. */
  public static final String OPTION = "--config";

  private static final Pattern OPTIONS = Pattern.compile("--([a-z][a-z-]*)");

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
   * @param known the options that there are, without dashes
   * @param typed those that are typed as well
   * @throws UsageException if it cannot be read, or one of its options is unknown or has no value
   */
  public static RunFile read(String file, Set<String> known, Set<String> typed) {
    YamlSettings settings = YamlSettings.ofFile(OPTION, file);
    settings.require(known);
    return new RunFile(file, settings, typed);
  }

  /** The options that are not typed as well, as they would be. */
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

  /** Whether the run has this option, without dashes, from here. */
  public boolean has(String option) {
    return settings.keys().contains(option) && !typed.contains(option);
  }

  public String file() {
    return file;
  }

  /** Returns a message with the line in front in which the first option stands that it names. */
  public String located(String message) {
    return OPTIONS
        .matcher(message)
        .results()
        .map((MatchResult found) -> found.group(1))
        .filter(this::has)
        .findFirst()
        .map(option -> settings.mistake(option, message).getMessage())
        .orElse(message);
  }

  /**
   * The text of such a file.
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
