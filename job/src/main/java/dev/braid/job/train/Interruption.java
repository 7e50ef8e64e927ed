package dev.braid.job.train;

import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;

/**
 * What happens on Ctrl-C in an embedded run: the job is cancelled, its tasks end, and the user
 * learns how to go on.
 */
final class Interruption implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;
  private static final String NONE_YET = "there was no checkpoint yet";

  private final Thread hook;
  private final JobClient job;
  private final Terminal terminal;
  private final TrainOptions options;
  private final Path model;
  private final Optional<FileTime> modelBefore;
  private final Consumer<String> whenStopped;
  private volatile boolean interrupted;

  /**
   * For as long as the job runs.
   *
   * @param whenStopped is told, too, what is left of a run that was stopped
   */
  Interruption(
      JobClient job, Terminal terminal, TrainOptions options, Consumer<String> whenStopped) {
    this.whenStopped = whenStopped;
    this.job = job;
    this.terminal = terminal;
    this.options = options;
    this.model = Validation.localPath(options.out()).resolve("model.zip");
    this.modelBefore = lastModified();
    this.hook = new Thread(this::stop, "braid-interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether the process is being stopped, so that the job's end is no failure. */
  boolean interrupted() {
    return interrupted;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running.
    }
  }

  private void stop() {
    interrupted = true;
    terminal.endLine();
    terminal.print("stopping ...");
    try {
      job.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      job.getJobExecutionResult().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // The job ended as cancelled, which is what was asked for; or it had ended before.
    } catch (TimeoutException e) {
      terminal.print("the job did not stop in time; the process ends all the same");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String stopped = "stopped: " + kept();
    terminal.print(stopped);
    whenStopped.accept(stopped);
    Checkpoints.removeEmpty(options, job.getJobID());
  }

  /** What is left of the run, and how to go on with it. */
  String kept() {
    // The last epoch's end, the model and the end of the job are moments apart.
    if (lastModified().isPresent() && !lastModified().equals(modelBefore)) {
      return "training was complete, and its model is in " + Places.shown(model);
    }
    return howToGoOn()
        .or(
            () ->
                options.restore().map(from -> NONE_YET + "; it began from " + Places.inShell(from)))
        .orElseGet(() -> NONE_YET + keptBesides());
  }

  /** Of earlier runs nothing is there that would look like this one's. */
  private String keptBesides() {
    Path best = model.resolveSibling("best.zip");
    return Files.exists(best) ? ", only " + Places.shown(best) + " is kept" : ", nothing is kept";
  }

  /** How to train on from the last checkpoint, if there is one. */
  Optional<String> howToGoOn() {
    return Checkpoints.newestBelow(Checkpoints.folderOf(options, job.getJobID()))
        .map(
            found ->
                "to go on from the last checkpoint, add --restore "
                    + Places.inShell(found.toString()));
  }

  private Optional<FileTime> lastModified() {
    try {
      return Optional.of(Files.getLastModifiedTime(model));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
