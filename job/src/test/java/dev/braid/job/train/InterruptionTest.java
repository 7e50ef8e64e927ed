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
      assertThat(interruption.kept()).endsWith("add --restore " + checkpoint);
      Files.setLastModifiedTime(model, FileTime.fromMillis(2_000));
      assertThat(interruption.kept()).endsWith("its model is in " + model);
      Files.delete(model);
      assertThat(interruption.kept()).as("put aside").endsWith("add --restore " + checkpoint);
    }
  }

  @Test
  void aRunThatWentOn_namesWhatItBeganFrom() {
    try (Interruption interruption = interruption("--restore", "/from/chk-7")) {
      assertThat(interruption.kept())
          .isEqualTo("there was no checkpoint yet; it began from /from/chk-7");
    }
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
    Interruption interruption =
        new Interruption(terminal, TrainArguments.of(arguments, terminal).options());
    assertThat(interruption.jobBegins(job, said -> {})).isTrue();
    return interruption;
  }
}
