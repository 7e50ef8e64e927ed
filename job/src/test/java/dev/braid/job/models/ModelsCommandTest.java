package dev.braid.job.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.job.CommandRun;
import dev.braid.job.TestVersions;
import dev.braid.job.console.ExitCodes;
import dev.braid.run.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelsCommandTest {

  @TempDir private Path folder;
  private String registry;

  @BeforeEach
  void nameRegistry() {
    registry = folder.resolve("models").toString();
  }

  private void publish(int versions) throws IOException {
    TestVersions.ofTable(registry, folder, versions);
  }

  private CommandRun models(String command, String... more) {
    return CommandRun.of(
        Stream.concat(Stream.of("models", command, registry), Stream.of(more))
            .toArray(String[]::new));
  }

  private static void assertDone(CommandRun run) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  private void assertInService(String version) {
    CommandRun run = models("show");
    assertDone(run);
    assertThat(run.out().lines().findFirst().orElseThrow()).contains(version + ", in service");
  }

  private static List<JsonNode> json(CommandRun run) {
    assertDone(run);
    return run.out().lines().map(line -> Json.read(line, JsonNode.class)).toList();
  }

  @Test
  void aTableHasEachVersion_itsFiguresAndWhichIsInService() throws IOException {
    publish(3);
    CommandRun run = models("list");
    assertDone(run);
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(5).allMatch(line -> line.length() <= 80);
    assertThat(lines.get(0).split(" +"))
        .containsExactly("version", "published", "round", "loss", "accuracy", "offsets", "size");
    assertThat(lines.get(2).split(" {2,}"))
        .startsWith("v2", "2026-09-21T14:13:22Z", "200", "0.5000", "90.00 %", "–")
        .hasSize(7);
    assertThat(lines.get(3)).startsWith("v3 ");
    assertThat(lines.get(4)).isEqualTo("in service: v3");

    assertDone(models("rollback", "v1"));
    lines = models("list").out().lines().toList();
    assertThat(lines.get(4)).isEqualTo("in service, pinned: v1");
  }

  @Test
  void eachVersionIsALineOfJson() throws IOException {
    publish(2);
    List<JsonNode> lines = json(models("list", "--json"));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).get("number").asInt()).isEqualTo(1);
    assertThat(lines.get(0).get("inService").asBoolean()).isFalse();
    assertThat(lines.get(1).get("inService").asBoolean()).isTrue();
    assertThat(lines.get(1).get("pinned").asBoolean()).isFalse();
    assertThat(json(models("show", "--json"))).containsExactly(lines.get(1));
    assertThat(json(models("show", "v1", "--json"))).containsExactly(lines.get(0));
  }

  @Test
  void aDamagedVersionHidesNoOther() throws IOException {
    publish(3);
    Files.writeString(Path.of(registry, "v2.json"), "{");
    CommandRun run = models("list");
    assertDone(run);
    assertThat(run.out()).contains("v1 ", "v2.json", "v3 ");
    assertThat(json(models("list", "--json")).get(1).get("error").asText()).contains("v2.json");
    models("show", "v2").assertMistake("v2.json");
    models("rollback", "v2").assertMistake("v2.json");
    assertThat(models("verify", "v2").exitCode()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void allOfAVersionIsShown() throws IOException {
    publish(1);
    CommandRun run = models("show", "v1");
    assertDone(run);
    assertThat(run.out())
        .contains("run-7", "train.csv", "model.zip", "model.json", "100")
        .contains(TestVersions.digest(folder.resolve("model.zip")));
  }

  @Test
  void aRollbackPins_untilTheNewestIsWanted() throws IOException {
    publish(3);
    assertDone(models("rollback", "v2"));
    assertInService("v2");
    publish(4);
    assertInService("v2");
    assertDone(models("rollback", "v1"));
    assertInService("v1");
    assertDone(models("rollback", "--newest"));
    assertInService("v4");
  }

  @Test
  void pruningKeepsTheNewestAndThePinnedOne() throws IOException {
    publish(5);
    assertDone(models("rollback", "v2"));
    assertDone(models("prune", "--keep", "2"));
    assertThat(json(models("list", "--json")).stream().map(line -> line.get("number").asInt()))
        .containsExactly(2, 4, 5);
    assertThat(Path.of(registry, "v1")).doesNotExist();
    assertDone(models("rollback", "--newest"));
    assertDone(models("prune", "--keep", "1"));
    assertDone(models("prune", "--keep", "1"));
    assertThat(json(models("list", "--json"))).hasSize(1);
    assertInService("v5");
  }

  @Test
  void pruningRemovesWhatOldPublicationsHaveLeft() throws IOException {
    publish(1);
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    for (String name : List.of("v8", "v9")) {
      Path half = Files.createDirectory(Path.of(registry, name));
      Files.writeString(half.resolve("model.zip"), "half");
    }
    Files.setLastModifiedTime(Path.of(registry, "v8", "model.zip"), old);
    Files.setLastModifiedTime(Path.of(registry, "v8"), old);
    assertDone(models("prune", "--keep", "9"));
    assertThat(Path.of(registry, "v8")).doesNotExist();
    assertThat(Path.of(registry, "v9")).exists();
    assertInService("v1");
  }

  @Test
  void aVersionWithoutALineageIsVerifiedByItsFiles() throws IOException {
    publish(2);
    assertDone(models("verify"));
    assertDone(models("verify", "v1", "--files-only"));
    Path model = Path.of(registry, "v2", "model.zip");
    byte[] content = Files.readAllBytes(model);
    content[content.length / 2]++;
    Files.write(model, content);
    CommandRun damaged = models("verify");
    assertThat(damaged.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(damaged.out()).contains(model.toString());
    assertDone(models("verify", "v1"));
  }

  /** The files are as published, but the weights have another digest. */
  @Test
  void anotherDigestIsFound() throws IOException {
    publish(1);
    TestVersions.publish(registry, Map.of(), folder, TestVersions.version(2, "0".repeat(64)));
    CommandRun run = models("verify", "v2");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.out()).contains("0".repeat(64));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list",
        "show",
        "show v1",
        "rollback v1",
        "rollback --newest",
        "prune --keep 1",
        "verify"
      })
  void aRegistryWithoutVersionsIsAMistake(String command) {
    String[] words = command.split(" ");
    models(words[0], Stream.of(words).skip(1).toArray(String[]::new))
        .assertMistake("models: --publish");
    assertThat(Path.of(registry)).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          show v9         | v9 v1 to v2
          show 1          | VERSION 1 v17
          show v0         | VERSION v0
          rollback v9     | v9 v1 to v2
          rollback        | VERSION --newest
          rollback v1 --newest | VERSION --newest
          prune --keep 0  | --keep 0
          prune           | --keep
          verify v9       | v9
          """)
  void namesTheMistake(String command, String words) throws IOException {
    publish(2);
    String[] typed = command.trim().split(" ");
    models(typed[0], Stream.of(typed).skip(1).toArray(String[]::new)).assertMistake(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          models                        | list show rollback prune verify
          models list nowhere://x/y     | nowhere
          models list kafka:a/b         | kafka: a/b
          models list kafka: AWAY       | kafka:
          models list kafka:models AWAY | models no broker answers
          models list pom.xml           | pom.xml
          models liste out              | list
          """)
  void namesTheMistakeOfAPlace(String line, String words) {
    CommandRun.ofLine(line).assertMistake(words);
  }

  @Test
  void aPinThatIsDamagedIsAMistake_andMended() throws IOException {
    publish(2);
    Files.writeString(Path.of(registry, "pinned"), "v1; rm");
    models("list").assertMistake("pinned");
    assertDone(models("rollback", "v1"));
    assertInService("v1");
    Files.writeString(Path.of(registry, "pinned"), "v7");
    models("show").assertMistake("pinned v7");
    assertDone(models("rollback", "--newest"));
    assertInService("v2");
  }
}
