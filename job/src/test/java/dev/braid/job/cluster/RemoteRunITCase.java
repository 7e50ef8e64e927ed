package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.chaos.stream.RemoteDisk;
import dev.braid.job.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An embedded run with results, checkpoints and events on another file system than this machine's,
 * which is a Flink plug-in in the process. {@code bench/s3/run} does the same with S3.
 */
@Tag("long")
class RemoteRunITCase {

  private static final String EVENT = "cut 1 0 at-round 3 for 100ms";

  @TempDir private Path folder;

  @Test
  void resultsCheckpointsAndEventsAreOnAnotherFileSystem() throws Exception {
    Path events = Files.writeString(folder.resolve("events.txt"), EVENT + "\n");
    Path out = folder.resolve("out");
    BraidProcess run =
        train(
            "--exchange=ft-tree",
            "--chaos-file=" + RemoteDisk.uri(events),
            "--out=" + RemoteDisk.uri(out) + "/",
            "--links=2ms",
            "--checkpoint-interval=100ms",
            "--page",
            "--epochs=100000");
    run.await(() -> run.output().contains(" 2/100000"));
    run.await(() -> BraidProcess.hasCheckpoint(out));
    run.signal("TERM");
    assertThat(run.awaitEnd()).as(run::output).isEqualTo(143);
    assertThat(run.temporaryFiles())
        .as("all but the log")
        .allMatch(file -> file.getFileName().toString().startsWith("braid-log-"));
    assertThat(run.output())
        .contains("page at " + RemoteDisk.uri(out.resolve("run.html")))
        .contains("its last checkpoint is remote:", " --restore latest\n");
    assertThat(run.output()).containsPattern("log in [^ ]*/braid-log-[0-9a-f-]+/braid\\.log\n");
    for (String name : new String[] {"history.jsonl", "best.zip", "chaos-applied.jsonl"}) {
      assertThat(out.resolve(name)).isNotEmptyFile();
    }

    // In this JVM, which has the file system without a plug-in.
    CommandRun again =
        CommandRun.withErrorOutput(
            command(
                "--exchange=ft-tree",
                "--out=" + RemoteDisk.uri(out),
                "--restore=latest",
                "--epochs=" + (lastEpoch(out) + 100)));
    assertThat(again.exitCode()).as(again::err).isZero();
    assertThat(again.out())
        .contains("resuming from remote:", "results of an earlier run were moved to remote:")
        .contains("model          " + RemoteDisk.uri(out.resolve("model.zip")));
    assertThat(out.resolve("summary.json")).isNotEmptyFile();
    try (Stream<Path> files = Files.walk(out)) {
      assertThat(files).as("what is not whole").noneMatch(file -> isPart(file));
    }
  }

  private static boolean isPart(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".part") || name.startsWith(".braid-");
  }

  private static int lastEpoch(Path out) throws IOException {
    int last = 0;
    for (String line : Files.readAllLines(out.resolve("history.jsonl"))) {
      JsonNode read = new ObjectMapper().readTree(line);
      last = Math.max(last, read.path("epoch").asInt());
    }
    return last;
  }

  private BraidProcess train(String... more) throws IOException {
    Path plugin = Files.createDirectories(folder.resolve("plugins/remote"));
    Path jar =
        Path.of(RemoteDisk.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Files.copy(jar, plugin.resolve("remote.jar"));
    return BraidProcess.startWith(
        Map.of("FLINK_PLUGINS_DIR", plugin.getParent().toString()),
        folder.resolve("run.log"),
        command(more));
  }

  private static String[] command(String... more) {
    Path iris = Path.of("..", "docs", "example", "iris.csv").toAbsolutePath().normalize();
    return Stream.concat(
            Stream.of(
                "train",
                "--data=" + iris,
                "--standardize",
                "--model=logistic",
                "--workers=2",
                "--batch=10",
                "--web-port=0"),
            Stream.of(more))
        .toArray(String[]::new);
  }
}
