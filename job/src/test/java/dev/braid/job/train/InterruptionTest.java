package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.Terminal;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptionTest {

  private static final JobID JOB = new JobID(1, 2);

  @TempDir private Path folder;

  private final Terminal terminal =
      new Terminal(
          new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8),
          false,
          false,
          () -> 80);

  @Test
  void saysWhatIsKept() throws Exception {
    Path model = folder.resolve("model.zip");
    Files.writeString(model, "of another run");
    Files.setLastModifiedTime(model, FileTime.fromMillis(1_000));
    try (Interruption interruption = interruption()) {
      assertThat(interruption.kept()).contains("no checkpoint yet, nothing is kept");
      Path checkpoint =
          Files.createDirectories(folder.resolve("checkpoints").resolve(JOB + "/chk-3"));
      Files.createFile(checkpoint.resolve("_metadata"));
      assertThat(interruption.kept()).contains(resumed(checkpoint));
      Files.setLastModifiedTime(model, FileTime.fromMillis(2_000));
      assertThat(interruption.kept()).endsWith("model is in " + model);
      Files.delete(model);
      assertThat(interruption.kept()).as("put aside").contains(resumed(checkpoint));
    }
  }

  @Test
  void aRunThatWentOn_namesWhatItBeganFrom() {
    try (Interruption interruption = interruption("--restore", "/from/chk-7")) {
      assertThat(interruption.kept())
          .contains("it began from /from/chk-7; to resume: braid train --out ")
          .endsWith(" --restore /from/chk-7")
          .containsOnlyOnce("--restore");
    }
  }

  @Test
  void aFolderThatOtherRunsMayWriteTo_isNotSearchedForTheLatest() throws Exception {
    Path checkpoints = folder.resolve("of many runs");
    Path checkpoint = Files.createDirectories(checkpoints.resolve(JOB + "/chk-3"));
    Files.createFile(checkpoint.resolve("_metadata"));
    try (Interruption interruption =
        interruption("--checkpoint-dir", checkpoints.toString(), "--restore", "latest", "--page")) {
      assertThat(interruption.kept())
          .endsWith(
              " --checkpoint-dir '%s' --page --restore '%s'".formatted(checkpoints, checkpoint));
    }
  }

  private String resumed(Path checkpoint) {
    return "its last checkpoint is %s; to resume: braid train --out %s --restore latest"
        .formatted(checkpoint, folder);
  }

  private Interruption interruption(String... options) {
    JobClient job =
        (JobClient)
            Proxy.newProxyInstance(
                JobClient.class.getClassLoader(),
                new Class<?>[] {JobClient.class},
                (proxy, method, args) -> JOB);
    List<String> arguments = new ArrayList<>(List.of("--out", folder.toString()));
    arguments.addAll(List.of(options));
    TrainArguments typed = TrainArguments.of(arguments, terminal);
    Interruption interruption = new Interruption(terminal, typed, typed.options());
    assertThat(interruption.jobBegins(job, CompletableFuture::new, said -> {})).isTrue();
    return interruption;
  }
}
