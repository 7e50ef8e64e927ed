package dev.braid.job.options;

import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.fs.Path;

/**
 * Test of another file system before a run starts. For a wrong address it fails after a time-out,
 * without the minutes for which clients of such file systems retry.
 */
final class RemoteProbe {

  private static final int BYTES = 4096;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String option;
  private final String place;
  private final Duration patience;

  private RemoteProbe(String option, String place, Duration patience) {
    this.option = option;
    this.place = place;
    this.patience = patience;
  }

  /** Returns a probe for the place of an option. */
  static RemoteProbe of(String option, String place) {
    return new RemoteProbe(option, place, PATIENCE);
  }

  RemoteProbe within(Duration longest) {
    return new RemoteProbe(option, place, longest);
  }

  /**
   * Checks that the file system answers, whether or not the place exists.
   *
   * @throws UsageException if it does not answer
   */
  void reach() {
    attempt(
        "cannot be reached",
        () -> {
          Path path = new Path(place);
          return path.getFileSystem().exists(path);
        });
  }

  /**
   * Writes a file at the place and removes it.
   *
   * @throws UsageException if that fails, or takes too long
   */
  void write() {
    PlacedFile file = PlacedFile.in(place, ".braid-" + UUID.randomUUID());
    attempt(
        "cannot be written to",
        () -> {
          WholeFile.write(file.place(), out -> out.write(new byte[BYTES]));
          Path path = new Path(file.place());
          return path.getFileSystem().delete(path, false);
        });
  }

  private void attempt(String failed, Callable<Boolean> what) {
    FutureTask<Boolean> attempt = new FutureTask<>(what);
    Thread thread = new Thread(attempt, "braid-probe");
    // A daemon, so that a request without an answer does not keep the process alive.
    thread.setDaemon(true);
    thread.start();
    try {
      attempt.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      attempt.cancel(true);
      throw new UsageException(
          "%s %s: has not answered in %d s".formatted(option, place, patience.toSeconds()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UsageException(option + " " + place + ": interrupted", e);
    } catch (ExecutionException e) {
      throw new UsageException(
          "%s %s: %s: %s".formatted(option, place, failed, reason(e.getCause())), e);
    }
  }

  private static String reason(Throwable failure) {
    String reason =
        failure instanceof IOException io ? WholeFile.reason(io) : String.valueOf(failure);
    return reason.lines().findFirst().orElse("");
  }
}
