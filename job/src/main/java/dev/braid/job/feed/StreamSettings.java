package dev.braid.job.feed;

import dev.braid.job.console.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A stream's name with its settings, as typed: {@code NAME[:KEY=VALUE,…]}. */
final class StreamSettings {

  private static final String OPTION = "--stream";

  private final String name;
  private final Map<String, String> values = new LinkedHashMap<>();

  private StreamSettings(String name) {
    this.name = name;
  }

  /**
   * Parses the value of {@value #OPTION}.
   *
   * @param known names of each stream's settings, by the stream's name
   * @throws UsageException if a stream or a setting is unknown, or a setting has no value or two
   *     values
   */
  static StreamSettings of(String typed, Map<String, List<String>> known) {
    String[] parts = typed.split(":", 2);
    StreamSettings settings = new StreamSettings(parts[0]);
    if (!known.containsKey(parts[0])) {
      throw UsageException.unknownName(OPTION, parts[0], String.join(", ", known.keySet()));
    }
    if (parts.length > 1) {
      for (String setting : parts[1].split(",", -1)) {
        settings.add(setting.strip(), known.get(parts[0]));
      }
    }
    return settings;
  }

  private void add(String typed, List<String> known) {
    String[] parts = typed.split("=", 2);
    String key = parts[0];
    if (!known.contains(key)) {
      throw UsageException.unknownName(named(), key, String.join(", ", known));
    }
    if (parts.length == 1 || parts[1].isEmpty()) {
      throw new UsageException(named() + " " + key + ": needs a value, " + key + "=N");
    }
    if (values.putIfAbsent(key, parts[1]) != null) {
      throw new UsageException(named() + " " + typed + ": " + key + " is given twice");
    }
  }

  private String named() {
    return OPTION + " " + name + ":";
  }

  String name() {
    return name;
  }

  /**
   * Returns the whole number of a setting.
   *
   * @param usual value if the setting is not given
   * @throws UsageException if it is not a whole number from 1 to {@code most}
   */
  long count(String key, long usual, long most) {
    String text = values.get(key);
    if (text == null) {
      return usual;
    }
    long value = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    if (value < 1 || value > most) {
      throw mistake(key, text, "must be a whole number from 1 to " + most);
    }
    return value;
  }

  /**
   * Returns the share of a setting, from 0 to 1.
   *
   * @param usual value if the setting is not given
   * @throws UsageException if it is not a number from 0 to 1
   */
  double share(String key, double usual) {
    String text = values.get(key);
    if (text == null) {
      return usual;
    }
    // Only decimal digits are accepted, because Java would also parse hexadecimal numbers and
    // suffixes.
    double value =
        text.matches("\\d*\\.?\\d+([eE]-?\\d{1,3})?") ? Double.parseDouble(text) : Double.NaN;
    if (!(value >= 0 && value <= 1)) {
      throw mistake(key, text, "must be a number from 0 to 1");
    }
    return value;
  }

  private UsageException mistake(String key, String text, String needed) {
    return new UsageException(named() + " " + key + "=" + text + ": " + needed);
  }
}
