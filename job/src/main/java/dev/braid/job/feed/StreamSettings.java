package dev.braid.job.feed;

import dev.braid.job.console.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A stream's name with its settings, as they are typed: {@code NAME[:KEY=VALUE,…]}. */
final class StreamSettings {

  private static final String OPTION = "--stream";

  private final String name;
  private final Map<String, String> values = new LinkedHashMap<>();

  private StreamSettings(String name) {
    this.name = name;
  }

  /**
   * Reads what is typed behind {@value #OPTION}.
   *
   * @param known the settings of each stream, by the stream's name
   * @throws UsageException if a stream or a setting is unknown, or a setting has no value or two
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
   * Returns a whole number.
   *
   * @throws UsageException if it is none from 1 to the given bound
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
   * Returns a number from 0 to 1.
   *
   * @throws UsageException if it is none
   */
  double share(String key, double usual) {
    String text = values.get(key);
    if (text == null) {
      return usual;
    }
    // Only digits: Java reads hexadecimal numbers and suffixes, too.
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
