package dev.braid.job.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.TestVersions;
import dev.braid.job.console.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that score samples with a version in a registry. */
class VersionPlaceTest {

  @TempDir private Path folder;
  private Path registry;

  @BeforeEach
  void publish() throws IOException {
    registry = folder.resolve("models");
    TestVersions.ofTable(registry.toString(), folder, 2);
  }

  private CommandRun predict(Path model) throws IOException {
    Path rows = Files.writeString(folder.resolve("rows.csv"), "a,b\n5,1\n");
    return CommandRun.of("predict", "--model", model.toString(), rows.toString());
  }

  private void assertAnswers(Path model, String answer) throws IOException {
    CommandRun run = predict(model);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1)).singleElement().asString().startsWith(answer + ",");
  }

  @Test
  void aRegistryIsItsVersionInService() throws IOException {
    assertAnswers(registry, "right");
    assertThat(CommandRun.of("models", "rollback", registry.toString(), "v1").exitCode()).isZero();
    assertAnswers(registry, "left");
    assertAnswers(registry.resolve("v2"), "right");
    assertAnswers(registry.resolve("v2/model.zip"), "right");
    assertThat(predict(registry.resolve("v1")).out()).isEqualTo(predict(registry).out());
  }

  @Test
  void evaluationsNameTheVersion() {
    String data = folder.resolve("train.csv").toString();
    CommandRun run = CommandRun.of("evaluate", "--model", registry.toString(), "--data", data);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().findFirst().orElseThrow()).contains("v2");
    assertThat(
            CommandRun.of("evaluate", "--json", "--model", registry + "/v1", "--data", data).out())
        .contains("/v1/");
  }

  @Test
  void aVersionIsExported() {
    Path onnx = folder.resolve("model.onnx");
    CommandRun run =
        CommandRun.of("export", "--model", registry.toString(), "--onnx", onnx.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(onnx).isNotEmptyFile();
    CommandRun.of("export", "--model", registry.toString(), "--onnx", registry + "/v2/model.zip")
        .assertMistake("--onnx model.zip");
  }

  @Test
  void whatIsNoVersionIsAMistake() throws IOException {
    predict(registry.resolve("v3")).assertMistake("--model v3");
    Files.delete(registry.resolve("v1.json"));
    predict(registry.resolve("v1")).assertMistake("--model v1/model.zip");
    predict(folder).assertMistake("--model model.zip");
    predict(Files.createDirectory(folder.resolve("empty"))).assertMistake("--model empty");
    CommandRun.of("predict", "--model", "kafka:models").assertMistake("--model kafka:models");

    Files.writeString(registry.resolve("pinned"), "v7");
    predict(registry).assertMistake("--model v7");
    assertAnswers(registry.resolve("v2"), "right");
    Files.writeString(registry.resolve("v2/model.json"), "{}");
    predict(registry.resolve("v2")).assertMistake("--model v2/model.json");
    assertThat(predict(registry.resolve("v2")).exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
