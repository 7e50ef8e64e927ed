package dev.braid.job.score;

import dev.braid.api.score.ScoringProgress;
import dev.braid.files.PlacedFile;
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
import dev.braid.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A scoring job in this process. Ctrl-C stops it with a savepoint, so that every record that it has
 * read is scored.
 */
final class EmbeddedScoring {

  private static final long STOP_SECONDS = 30;
  private static final long SHOWN_APART_MILLIS = 1000;
  private static final int PRINTED_APART_SECONDS = 10;
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

  /** Returns the newest complete checkpoint or savepoint; empty if there is none. */
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
              .formatted(job.in().name(), job.out().name(), job.config().choice().registry()));
      terminal.print("web UI at " + flink.webAddress() + ", log in " + Places.shown(log));
      JobClient client = flink.submit(env, job.name());
      Signals signals = Signals.handle(() -> stop(client), terminal::endLine);
      try {
        terminal.print(follow(client));
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

  /** Shows the progress until the job ends, and returns a summary. */
  private String follow(JobClient client) throws InterruptedException, ExecutionException {
    CompletableFuture<JobExecutionResult> end = client.getJobExecutionResult();
    long before = 0;
    for (int seconds = 1; ; seconds++) {
      try {
        var result = end.get(SHOWN_APART_MILLIS, TimeUnit.MILLISECONDS);
        return text(ScoringProgress.of(result.getAllAccumulatorResults()));
      } catch (TimeoutException e) {
        ScoringProgress now = ScoringProgress.of(accumulators(client));
        if (now.version() > 0 && !isStopping) {
          long more = Math.max(0, now.records() - before);
          before = now.records();
          show("%s, %,d a second".formatted(text(now), more * 1000 / SHOWN_APART_MILLIS), seconds);
        }
      }
    }
  }

  private void show(String line, int seconds) {
    if (terminal.isInteractive()) {
      terminal.update(line);
    } else if (seconds % PRINTED_APART_SECONDS == 0) {
      terminal.print(line);
    }
  }

  private static Map<String, Object> accumulators(JobClient client) throws InterruptedException {
    try {
      return client.getAccumulators().get();
    } catch (ExecutionException | IllegalStateException e) {
      // The job is ending, or being restarted.
      return Map.of();
    }
  }

  private static String text(ScoringProgress progress) {
    return String.format(
        Locale.ROOT,
        "%,d %s scored%s%s",
        progress.records(),
        progress.records() == 1 ? "record" : "records",
        progress.errors() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d could not be scored", progress.errors()),
        progress.version() == 0 ? "" : ", newest version v" + progress.version());
  }

  private Path folder() throws IOException {
    if (!Validation.isLocal("--out", out)) {
      throw new UsageException("--out " + out + ": must be a folder on this machine");
    }
    return Files.createDirectories(Validation.localPath(out));
  }

  /** Stops the job at the first signal, in the signal's thread. */
  private void stop(JobClient client) {
    isStopping = true;
    terminal.endLine();
    terminal.print(
        "taking a savepoint, for at most %d s, then stopping; Ctrl-C again stops at once"
            .formatted(STOP_SECONDS));
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
    } catch (TimeoutException e) {
      terminal.print(
          "stopped without a savepoint: the job did not stop in time; its last checkpoint is in "
              + Places.shown(checkpoints(out)));
    } catch (ExecutionException | IllegalStateException e) {
      terminal.print(
          "stopped without a savepoint: " + Printable.of(CauseChain.of(e).deepest().line()));
    }
  }
}
