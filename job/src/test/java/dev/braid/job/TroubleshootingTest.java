package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.OptionNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages on the troubleshooting page are those of the sources. */
class TroubleshootingTest {

  /** Modules with messages, and the launcher. */
  private static final List<String> SOURCES =
      List.of(
          "operators/algorithms",
          "operators/learner",
          "operators/runtime",
          "connectors",
          "chaos",
          "api",
          "job",
          "job/broker",
          "braid");

  /** First column of a row. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");

  private static final Pattern CODE = Pattern.compile("`([^`]*)`");

  /** Separator of two string literals that are concatenated at run time. */
  private static final String JOINED = "\"\\s*\\+\\s*\"";

  /** Least length of a part between two values; shorter ones occur anywhere. */
  private static final int LEAST_LENGTH = 8;

  @Test
  void messagesAreThoseOfTheSources() throws IOException {
    String page = Files.readString(DocumentedCommands.ROOT.resolve("docs/troubleshooting.md"));
    List<String> parts =
        ROW.matcher(page.substring(0, page.indexOf("## Alerts")))
            .results()
            .flatMap(row -> CODE.matcher(row.group(1)).results())
            .map(code -> code.group(1))
            .flatMap(message -> Stream.of(message.split("…", -1)))
            .map(String::strip)
            .filter(part -> part.length() >= LEAST_LENGTH)
            .distinct()
            .toList();
    assertThat(parts).hasSizeGreaterThan(50);

    String sources = sources();
    assertThat(parts).allSatisfy(part -> assertThat(sources.contains(part)).as(part).isTrue());
  }

  /** Returns the text of all sources, with the literals of a message in one piece, as shown. */
  private static String sources() throws IOException {
    List<String> texts = new ArrayList<>();
    for (String source : SOURCES) {
      Path place = DocumentedCommands.ROOT.resolve(source);
      Path main = place.resolve("src/main");
      try (Stream<Path> files = Files.walk(Files.isDirectory(main) ? main : place)) {
        for (Path file : files.filter(it -> isSource(it)).toList()) {
          texts.add(Files.readString(file).replaceAll(JOINED, ""));
        }
      }
    }
    return OptionNames.in(String.join("\n", texts));
  }

  private static boolean isSource(Path file) {
    return Files.isRegularFile(file)
        && (file.toString().endsWith(".java") || file.endsWith("braid"));
  }
}
