package dev.braid.job.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;

/**
 * Flink configuration as the lines of its file: Braid's shipped settings with changes and
 * additions. Comments are kept.
 */
final class ClusterConfig {

  /** Resource with the repository's {@code conf/config.yaml}. */
  private static final String SHIPPED = "/conf/config.yaml";

  /** Setting in the shipped file, in which only empty values are quoted. */
  private static final Pattern SETTING = Pattern.compile("([a-zA-Z][\\w.-]*): ([^']+)");

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][\\w.-]*");

  /**
   * Value that YAML reads as the same text without quotes. It does not match 1.10, 0x1F and null.
   */
  private static final Pattern PLAIN =
      Pattern.compile("(?!(?i:null)$)(0|[1-9][0-9]*|[A-Za-z/][\\w./-]*( [\\w./-]+)*)");

  private final List<String> lines;

  private ClusterConfig(List<String> lines) {
    this.lines = lines;
  }

  /** Returns the settings shipped with Braid. */
  static ClusterConfig shipped() {
    try (InputStream in = ClusterConfig.class.getResourceAsStream(SHIPPED)) {
      byte[] text =
          Objects.requireNonNull(in, "conf/config.yaml is missing from Braid's jar").readAllBytes();
      return new ClusterConfig(new String(text, StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException("Braid's own jar", e);
    }
  }

  /** Returns the settings in a file. */
  static ClusterConfig of(Path file) throws IOException {
    return new ClusterConfig(Files.readAllLines(file));
  }

  /** Returns the settings as Flink's configuration. */
  Configuration settings() {
    Map<String, String> set = new HashMap<>();
    for (String line : lines) {
      Matcher setting = SETTING.matcher(line);
      if (setting.matches()) {
        set.put(setting.group(1), setting.group(2));
      }
    }
    return Configuration.fromMap(set);
  }

  /**
   * Returns this configuration with a heading added, under which {@link #with} appends new keys.
   */
  ClusterConfig headed(String comment) {
    List<String> more = new ArrayList<>(lines);
    more.addAll(List.of("", "# " + comment));
    return new ClusterConfig(more);
  }

  /** Returns this configuration with the given settings replaced or appended. */
  ClusterConfig with(Map<String, String> settings) {
    List<String> changed = new ArrayList<>(lines);
    settings.forEach((key, value) -> set(changed, key, value));
    return new ClusterConfig(changed);
  }

  private static void set(List<String> lines, String key, String value) {
    check(key, value);
    boolean isPlain = PLAIN.matcher(value).matches();
    String line = key + ": " + (isPlain ? value : "'" + value.replace("'", "''") + "'");
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(key + ":")) {
        lines.set(i, line);
        return;
      }
    }
    lines.add(line);
  }

  /**
   * Checks a setting.
   *
   * @throws IllegalArgumentException if the key cannot be a Flink key, or the value has a line
   *     break or another control character
   */
  static void check(String key, String value) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "'" + key + "': not a Flink key: use letters, digits, dots and dashes");
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(key + ": must be a value of one line");
    }
  }

  /** Returns the text of the file. */
  String text() {
    return String.join("\n", lines) + "\n";
  }
}
