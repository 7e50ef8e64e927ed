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
 * A configuration of Flink, as the lines of its file: those that come with Braid, with others in
 * the place of some. Comments stay.
 */
final class ClusterConfig {

  /** {@code conf/config.yaml} of the repository. */
  private static final String SHIPPED = "/conf/config.yaml";

  /** A line of the shipped file, in which only empty values are quoted. */
  private static final Pattern SETTING = Pattern.compile("([a-zA-Z][\\w.-]*): ([^']+)");

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][\\w.-]*");

  /** YAML reads this as the same text without quotes. It does not match 1.10, 0x1F and null. */
  private static final Pattern PLAIN =
      Pattern.compile("(?!(?i:null)$)(0|[1-9][0-9]*|[A-Za-z/][\\w./-]*( [\\w./-]+)*)");

  private final List<String> lines;

  private ClusterConfig(List<String> lines) {
    this.lines = lines;
  }

  /** The settings that come with Braid. */
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

  /** What they set. */
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

  /** The same under a heading, for what comes besides. */
  ClusterConfig headed(String comment) {
    List<String> more = new ArrayList<>(lines);
    more.addAll(List.of("", "# " + comment));
    return new ClusterConfig(more);
  }

  /** These settings, with others in their place or besides. */
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
   * Checks what is to be set.
   *
   * @throws IllegalArgumentException if the key can be none of Flink's, or the value has two lines
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

  /** The file's text. */
  String text() {
    return String.join("\n", lines) + "\n";
  }
}
