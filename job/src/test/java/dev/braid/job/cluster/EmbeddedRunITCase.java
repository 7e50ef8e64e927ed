package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid train} as a user runs it: a process with an embedded Flink, on MNIST. */
class EmbeddedRunITCase {

  @TempDir private Path folder;

  @Test
  void targetAccuracy_endsTheRunAfterTheEpochThatReachesIt() throws Exception {
    BraidProcess run = train("--workers", "2", "--epochs", "9", "--target-accuracy", "0.9");

    assertThat(run.awaitEnd()).as(run::output).isZero();
    assertThat(run.output())
        .contains("epoch 1/9")
        .doesNotContain("epoch 2/9")
        .contains("used exactly once in the epoch");
    assertThat(folder.resolve("out/model.zip")).isNotEmptyFile();
  }

  @Test
  void interrupt_stopsTheJob_andSaysHowToGoOn() throws Exception {
    BraidProcess run = train("--workers", "2", "--epochs", "500", "--checkpoint-interval", "200ms");
    run.await("epoch 1/500");
    run.await(this::hasCheckpoint);
    run.interrupt();

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(folder.resolve("out/model.zip")).doesNotExist();
    Matcher restore = Pattern.compile("--restore (\\S+)").matcher(run.output());
    assertThat(restore.find()).as(run::output).isTrue();

    BraidProcess other =
        train("--workers", "2", "--epochs", "2", "--restore", restore.group(1), "--seed", "2");
    assertThat(other.awaitEnd()).as(other::output).isEqualTo(1);
    assertThat(other.output()).contains("seed 2: the checkpoint is of 60000 samples, seed 1");

    BraidProcess again = train("--workers", "2", "--epochs", "2", "--restore", restore.group(1));
    assertThat(again.awaitEnd()).as(again::output).isZero();
    assertThat(again.output()).contains("identical: yes (2 of 2)");
  }

  /** Whether one is complete: its metadata is written last. */
  private boolean hasCheckpoint() {
    try (Stream<Path> files = Files.walk(folder.resolve("out/checkpoints"))) {
      return files.anyMatch(file -> file.endsWith("_metadata"));
    } catch (IOException | UncheckedIOException e) {
      // Checkpoints that another one follows go while this looks.
      return false;
    }
  }

  private BraidProcess train(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("train"));
    arguments.addAll(List.of("--out", folder.resolve("out").toString()));
    arguments.addAll(List.of(options));
    return BraidProcess.start(folder.resolve("run.log"), arguments.toArray(String[]::new));
  }
}
