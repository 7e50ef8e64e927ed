package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links in the documentation lead to existing files and headings. */
class DocumentedLinksTest {

  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  static Stream<Path> pages() throws IOException {
    return DocumentedCommands.pages().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void lead(Path page) throws IOException {
    assertThat(LINK.matcher(Files.readString(page)).results())
        .allSatisfy(link -> assertThat(leads(page, link)).as(link.group()).isTrue());
  }

  @Test
  void thereAreMany() throws IOException {
    long links = 0;
    for (Path page : DocumentedCommands.pages()) {
      links += LINK.matcher(Files.readString(page)).results().count();
    }
    assertThat(links).isGreaterThan(100);
  }

  private static boolean leads(Path page, MatchResult link) {
    Path file = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
    return Files.exists(file) && (link.group(2) == null || anchors(file).contains(link.group(2)));
  }

  /** Returns the anchors that GitHub gives to the headings of a page. */
  private static Set<String> anchors(Path page) {
    try {
      return HEADING
          .matcher(CODE.matcher(Files.readString(page)).replaceAll(""))
          .results()
          .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
          .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
