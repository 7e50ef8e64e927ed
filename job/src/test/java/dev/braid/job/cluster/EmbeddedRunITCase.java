package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid train} as a user runs it: a process with an embedded Flink, on MNIST. */
class EmbeddedRunITCase {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @Test
  void targetAccuracy_endsTheRunAfterTheEpochThatReachesIt() throws Exception {
    Process run = train("--workers", "2", "--epochs", "9", "--target-accuracy", "0.9");
    awaitEnd(run);

    assertThat(run.exitValue()).as(this::output).isZero();
    assertThat(output())
        .contains("epoch 1/9")
        .doesNotContain("epoch 2/9")
        .contains("used exactly once in the epoch");
    assertThat(folder.resolve("out/model.zip")).isNotEmptyFile();
  }

  @Test
  void interrupt_stopsTheJob_andSaysHowToGoOn() throws Exception {
    Process run = train("--workers", "2", "--epochs", "500", "--checkpoint-interval", "200ms");
    await(run, () -> output().contains("epoch 1/500"));
    interrupt(run);
    awaitEnd(run);

    assertThat(run.exitValue()).as(this::output).isEqualTo(130);
    assertThat(folder.resolve("out/model.zip")).doesNotExist();
    Matcher restore = Pattern.compile("--restore (\\S+)").matcher(output());
    assertThat(restore.find()).as(this::output).isTrue();

    Process again = train("--workers", "2", "--epochs", "2", "--restore", restore.group(1));
    awaitEnd(again);
    assertThat(again.exitValue()).as(this::output).isZero();
    assertThat(output()).contains("identical: yes (2 of 2)");
  }

  private Process train(String... options) throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-Dlog4j2.level=OFF", "-Dbraid.launcher=true"));
    for (String module : System.getProperty("braid.add-opens").split(" ", -1)) {
      command.add("--add-opens=" + module + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", target.resolve("braid.jar") + ":" + target.resolve("lib/*")));
    command.addAll(List.of("dev.braid.job.Main", "train"));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    return builder.start();
  }

  /** What Ctrl-C does. */
  private static void interrupt(Process run) throws Exception {
    Process kill = new ProcessBuilder("sh", "-c", "kill -INT " + run.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  private void awaitEnd(Process run) throws InterruptedException {
    if (!run.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      run.destroyForcibly();
      throw new AssertionError("no end after " + TIMEOUT.toSeconds() + " s\n" + output());
    }
  }

  private void await(Process run, java.util.function.BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (!run.isAlive() || System.nanoTime() > deadline) {
        run.destroyForcibly();
        throw new AssertionError("not seen in time\n" + output());
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private Path log() {
    return folder.resolve("run.log");
  }

  private String output() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return "";
    }
  }
}
