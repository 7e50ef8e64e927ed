package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {

  /** More lines than the log's buffer holds. */
  private static final int LINES = 20_000;

  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(Logs.FILE);
  }

  private static LoggerContext logTo(Path file) {
    System.setProperty(Logs.FILE, file.toString());
    return Configurator.initialize(file.toString(), null, Logs.configuration(), null);
  }

  @Test
  void whatIsLoggedIsInTheFile() throws Exception {
    Path file = folder.resolve("braid.log");
    LoggerContext context = logTo(file);
    context.getLogger("some.Logger").info("a line");
    assertThat(context.stop(1, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(file)).contains("INFO  s.Logger - a line\n");
  }

  /** A pipe without a reader acts like a disk that does not respond. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void nobodyWaitsForADiskThatDoesNotAnswer() throws Exception {
    Path pipe = folder.resolve("braid.log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    LoggerContext context = logTo(pipe);
    for (int i = 0; i < LINES; i++) {
      context.getLogger("some.Logger").info("line {}", i);
    }
    // Opening the pipe lets the log's thread continue and end.
    try (BufferedReader reader = Files.newBufferedReader(pipe)) {
      assertThat(reader.readLine()).endsWith("line 0");
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(context::stop);
      assertThat(reader.lines().count()).isBetween(1L, LINES - 2L);
      stopped.join();
    }
  }
}
