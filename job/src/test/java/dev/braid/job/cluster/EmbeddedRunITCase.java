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
    assertThat(folder.resolve("out/history.jsonl"))
        .content()
        .contains("\"updater\":\"momentum\",\"learning-rate\":0.1");
  }

  @Test
  void interrupt_stopsTheJob_andSaysHowToGoOn() throws Exception {
    BraidProcess run = train("--workers", "2", "--epochs", "500", "--checkpoint-interval", "200ms");
    run.await("epoch 2/500");
    run.await(this::hasCheckpoint);
    run.interrupt();

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(folder.resolve("out/model.zip")).doesNotExist();
    Matcher restore = Pattern.compile("--restore (\\S+)").matcher(run.output());
    assertThat(restore.find()).as(run::output).isTrue();

    String checkpoint = restore.group(1);
    assertRefused(checkpoint, "made with --seed 1, and not 2", "--seed", "2");
    assertRefused(checkpoint, "made with --updater momentum, and not sgd", "--updater", "sgd");
    assertRefused(checkpoint, "made with --state-backend hashmap", "--state-backend", "rocksdb");
    String tooFew = assertRefused(checkpoint, "or more is needed", "--epochs", "1");
    Matcher epoch = Pattern.compile("is in epoch (\\d+) already").matcher(tooFew);
    assertThat(epoch.find()).as(tooFew).isTrue();

    BraidProcess again =
        train("--workers", "2", "--epochs", epoch.group(1), "--restore", checkpoint);
    assertThat(again.awaitEnd()).as(again::output).isZero();
    assertThat(again.output()).contains("identical: yes (2 of 2)");
  }

  /** A run that cannot go on from the checkpoint says so, and no more. */
  private String assertRefused(String checkpoint, String words, String... options)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("--workers", "2", "--restore", checkpoint));
    all.addAll(List.of(options));
    BraidProcess run = train(all.toArray(String[]::new));
    assertThat(run.awaitEnd()).as(run::output).isEqualTo(2);
    assertThat(run.output()).contains("--restore " + checkpoint + ": ", words).hasLineCount(1);
    return run.output();
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
