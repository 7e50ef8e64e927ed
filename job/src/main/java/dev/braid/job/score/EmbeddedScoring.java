package dev.braid.job.score;

import dev.braid.files.PlacedFile;
import dev.braid.files.Printable;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Launched;
import dev.braid.job.console.Logs;
import dev.braid.job.console.OutLock;
import dev.braid.job.console.Places;
import dev.braid.job.console.Signals;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.EmbeddedFlink;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.Validation;
import dev.braid.job.rest.CauseChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A scoring job in this process. Ctrl-C stops it with a savepoint, so that all it has read is
 * scored.
 */
final class EmbeddedScoring {

  private static final long STOP_SECONDS = 60;
  private static final String LOG = "braid.log";

  private final Terminal terminal;
  private final ScoreJob job;
  private final String out;
  private final CountDownLatch closed = new CountDownLatch(1);

  private volatile boolean isStopping;

  EmbeddedScoring(Terminal terminal, ScoreJob job, String out) {
    this.terminal = terminal;
    this.job = job;
    this.out = out;
  }

  /** Returns the place of the checkpoints. */
  static String checkpoints(String out) {
    return PlacedFile.in(out, "checkpoints").place();
  }

  /** Returns the newest complete checkpoint or savepoint, if there is one. */
  static Optional<String> newestCheckpoint(String out) {
    return Checkpoints.newestBelow(checkpoints(out));
  }

  int run(Configuration settings, int slots) throws Exception {
    try (OutLock lock = OutLock.take(folder())) {
      return run(settings, slots, lock.folder().resolve(LOG));
    } finally {
      closed.countDown();
    }
  }

  private int run(Configuration settings, int slots, Path log) throws Exception {
    Logs.writeTo(log);
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings, slots, ended -> {})) {
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
      env.setParallelism(slots);
      job.build(env);
      terminal.print(
          "scoring %s to %s with the versions in %s"
              .formatted(job.in().name(), job.out().name(), job.config().choice().place()));
      terminal.print("web UI at " + flink.webAddress() + ", log in " + Places.shown(log));
      JobClient client = flink.submit(env, job.name());
      Signals signals = Signals.handle(() -> stop(client), terminal::endLine);
      try {
        client.getJobExecutionResult().get();
        return isStopping ? ExitCodes.INTERRUPTED : ExitCodes.OK;
      } catch (ExecutionException e) {
        if (isStopping) {
          return ExitCodes.INTERRUPTED;
        }
        System.err.println("braid: " + Printable.of(CauseChain.of(e).deepest().line()));
        return ExitCodes.FAILED;
      } finally {
        signals.close();
      }
    }
  }

  private Path folder() throws IOException {
    if (!Validation.isLocal("--out", out)) {
      throw new UsageException("--out " + out + ": a folder on this machine is needed");
    }
    return Files.createDirectories(Validation.localPath(out));
  }

  /** At the first signal, in its thread. */
  private void stop(JobClient client) {
    isStopping = true;
    terminal.endLine();
    terminal.print("stopping, with a savepoint first; Ctrl-C again ends at once");
    try {
      String savepoint =
          client
              .stopWithSavepoint(
                  false,
                  Validation.localPath(checkpoints(out)).toUri().toString(),
                  SavepointFormatType.CANONICAL)
              .get(STOP_SECONDS, TimeUnit.SECONDS);
      closed.await(STOP_SECONDS, TimeUnit.SECONDS);
      terminal.print(
          "stopped; its savepoint is %s; to resume: %s score … --restore latest"
              .formatted(Places.shown(savepoint), Launched.braid()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      terminal.print(
          "stopped without a savepoint: " + Printable.of(CauseChain.of(e).deepest().line()));
    }
  }
}
