package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.registry.ExchangeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation of exchanges agrees with their descriptors. */
class DocumentedExchangesTest {

  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/reference/exchanges.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z][a-z-]*)` \\|");

  @Test
  void thePageOfExchangesHasARowForEach_andForNoOther() throws IOException {
    Set<String> rows =
        ROW.matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult row) -> row.group(1))
            .collect(Collectors.toSet());
    assertThat(rows).containsExactlyInAnyOrderElementsOf(names());
  }

  @Test
  void theReadmeNamesEach() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md")))
        .contains(names().stream().map("`%s`"::formatted).toList());
  }

  private static List<String> names() {
    return ExchangeType.all().stream().map(ExchangeType::title).toList();
  }

  static Stream<ExchangeOption<?>> options() {
    return ExchangeType.all().stream()
        .<ExchangeOption<?>>flatMap(type -> type.descriptor().options().stream())
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("options")
  void aPageSaysWhatEachOptionIsFor(ExchangeOption<?> option) throws IOException {
    assertThat(Files.readString(PAGE)).contains(option.name() + "=");
  }

  @Test
  void eachExchangeHasALineOfHelp() {
    assertThat(ExchangeType.all())
        .isNotEmpty()
        .allSatisfy(type -> assertThat(type.summary()).isNotBlank().doesNotContain("\n"))
        .allSatisfy(type -> assertThat(type.descriptor().advice()).isNotBlank());
  }
}
