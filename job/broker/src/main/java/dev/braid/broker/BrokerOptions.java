package dev.braid.broker;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options of {@code ./braid kafka}. As with Braid's other commands, a value is the next word,
 * or follows an equals sign.
 *
 * @param port port for clients with passwords, or for all clients; 0 for any free port
 * @param folder folder for the data; empty for a temporary one
 * @param secure whether the broker authenticates all clients
 */
record BrokerOptions(int port, Optional<Path> folder, boolean secure) {

  private static final int DEFAULT_PORT = 9092;
  private static final int LAST_PORT = 65535;

  /**
   * Parses the options.
   *
   * @throws IllegalArgumentException for the first mistake, with a message for the user
   */
  static BrokerOptions of(String... typed) {
    int port = DEFAULT_PORT;
    Optional<Path> folder = Optional.empty();
    boolean secure = false;
    Set<String> seen = new HashSet<>();
    Iterator<String> words = List.of(typed).iterator();
    while (words.hasNext()) {
      String word = words.next();
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals < 0 ? word : word.substring(0, equals);
      switch (option) {
        case "--port" -> port = port(value(word, equals, words));
        case "--dir" -> folder = Optional.of(folder(value(word, equals, words)));
        case "--secure" -> {
          if (equals >= 0) {
            throw new IllegalArgumentException(word + ": --secure alone is needed, with no value");
          }
          secure = true;
        }
        default ->
            throw new IllegalArgumentException(
                option + ": not known; --port PORT, --dir FOLDER or --secure");
      }
      if (!seen.add(option)) {
        throw new IllegalArgumentException(option + " is given more than once");
      }
    }
    return new BrokerOptions(port, folder, secure);
  }

  private static String value(String word, int equals, Iterator<String> next) {
    if (equals >= 0) {
      return word.substring(equals + 1);
    }
    return next.hasNext() ? next.next() : "";
  }

  private static Path folder(String text) {
    // Otherwise a folder of that name would be created, and the other option ignored.
    if (text.isEmpty() || text.startsWith("--")) {
      throw new IllegalArgumentException(
          "--dir" + (text.isEmpty() ? "" : " " + text) + ": must be a folder");
    }
    try {
      return Path.of(text).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("--dir " + text + ": not a path", e);
    }
  }

  private static int port(String text) {
    if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= LAST_PORT) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException(
        "--port"
            + (text.isEmpty() ? "" : " " + text)
            + ": must be a number from 0 (any free port) to "
            + LAST_PORT);
  }
}
