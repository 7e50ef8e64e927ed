package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.BelowHere;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Json;
import dev.braid.run.result.RunHistory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

  @TempDir(factory = BelowHere.class)
  private Path folder;

  @Test
  void saysWhereThePageIs_asTheUserMayTypeIt() throws Exception {
    Path run = Files.createDirectory(folder.resolve("run"));
    Path out = folder.resolve("out");
    RunHistory.Head head = Histories.head("{\"exchange\":\"ring\"}");
    Files.write(
        run.resolve("history.jsonl"),
        List.of(Json.write(head), Json.write(EpochLines.of(1, 0.97))));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(written, true, StandardCharsets.UTF_8), false, false, () -> 80);

    int exitCode =
        Main.commandLine(terminal)
            .execute("compare", "--from", run.toString(), "--out", out.toString());

    assertThat(exitCode).isZero();
    assertThat(out.resolve("comparison.html")).isNotEmptyFile();
    assertThat(written.toString(StandardCharsets.UTF_8))
        .endsWith("page  " + BelowHere.typed(out.resolve("comparison.html")) + "\n");
  }
}
