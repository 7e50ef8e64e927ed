package dev.braid.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Commands in the documentation, each on its own line. */
public final class DocumentedCommands {

  public static final Path ROOT = Path.of("..");

  /** Command up to the first character with a meaning for a shell. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}\\./braid ([^|>#;&\\n]+)");

  /** Word between blanks, possibly with quotes. */
  private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");

  /** Arguments of Flink before those of a job on a cluster. */
  private static final String JAR = ".* job/target/braid\\.jar ";

  private DocumentedCommands() {}

  /**
   * Returns Braid's own commands, without {@code ./braid}, and without those of the broker and
   * Flink.
   */
  public static Stream<String> all() throws IOException {
    return pages().stream()
        // The changelog may have commands of earlier releases that no longer exist.
        .filter(page -> !page.endsWith("CHANGELOG.md"))
        .flatMap(page -> COMMAND.matcher(read(page)).results())
        .map(command -> command.group(1).replace("…", "").replaceFirst(JAR, "").strip())
        .filter(command -> !command.startsWith("kafka") && !command.startsWith("flink"))
        .distinct();
  }

  /** Returns all pages of documentation. */
  static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> benches = Files.list(ROOT.resolve("bench"))) {
      return Stream.of(top, docs, benches)
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          // Libraries of the site's generator.
          .filter(file -> !file.toString().contains("node_modules"))
          .sorted()
          .toList();
    }
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the words of a command, as a shell splits them. */
  public static List<String> words(String command) {
    return WORD.matcher(command)
        .results()
        .map(MatchResult::group)
        .map(word -> word.replace("'", ""))
        .toList();
  }
}
