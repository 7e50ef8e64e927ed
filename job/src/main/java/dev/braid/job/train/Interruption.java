package dev.braid.job.train;

import dev.braid.files.PlacedFile;
import dev.braid.job.console.ParentWatch;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.result.EarlierResults;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;

/**
 * What happens on Ctrl-C in an embedded run: its job is cancelled, the user learns how to go on,
 * and the process lives on until the run has closed what it had opened. Flink leaves files behind
 * in the system's temporary folder where it is not closed.
 */
final class Interruption implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;
  private static final String NONE_YET = "there was no checkpoint yet";

  /**
   * A job that goes on.
   *
   * @param told learns what is left of a run that was stopped
   */
  private record Running(JobClient job, Consumer<String> told) {}

  private final Thread hook = new Thread(this::stop, "braid-interrupted");
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Terminal terminal;
  private final TrainOptions options;
  private final OutPlace out;
  private final PlacedFile model;
  private final Optional<Long> modelBefore;

  private Optional<Running> running = Optional.empty();
  private boolean over;
  private boolean interrupted;

  /** For as long as the run has anything open. */
  Interruption(Terminal terminal, TrainOptions options) {
    this.terminal = terminal;
    this.options = options;
    this.out = OutPlace.of(options);
    this.model = out.file(EarlierResults.MODEL);
    this.modelBefore = model.lastModifiedMillis();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether the process is being stopped: then the run is to close all, and its end no failure. */
  synchronized boolean interrupted() {
    return interrupted;
  }

  /**
   * The run's job has begun.
   *
   * @param told learns, too, what is left of a run that was stopped
   * @return false if the process is being stopped already: then who has begun the job ends it
   */
  synchronized boolean jobBegins(JobClient job, Consumer<String> told) {
    if (!interrupted) {
      running = Optional.of(new Running(job, told));
    }
    return !interrupted;
  }

  /** What there is to say of the run's end is said. */
  synchronized void jobIsOver() {
    over = true;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running.
    }
  }

  private void stop() {
    try {
      if (interrupt() || stopJob()) {
        closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether there is nothing to be stopped any more. */
  private synchronized boolean interrupt() {
    interrupted = true;
    return over;
  }

  /** Whether it has ended, so that the run can be closed. */
  private boolean stopJob() throws InterruptedException {
    terminal.endLine();
    terminal.print("stopping ...");
    Optional<Running> stopping = running();
    boolean ended = stopping.isEmpty() || cancel(stopping.get().job());
    if (!ended) {
      terminal.print("the job did not stop in time; the process ends all the same");
    }
    String stopped = "stopped: " + kept();
    terminal.print(stopped);
    stopping.ifPresent(it -> it.told().accept(stopped));
    return ended;
  }

  private static boolean cancel(JobClient job) throws InterruptedException {
    try {
      job.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      job.getJobExecutionResult().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | IllegalStateException e) {
      // It ended as cancelled, which is what was asked for; or it had ended before, or all of
      // Flink.
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private synchronized Optional<Running> running() {
    return running;
  }

  /** What is left of the run, and how to go on with it. */
  String kept() {
    // The last epoch's end, the model and the end of the job are moments apart.
    Optional<Long> modelNow = model.lastModifiedMillis();
    if (modelNow.isPresent() && !modelNow.equals(modelBefore)) {
      return "training was complete, and its model is in " + Places.shown(model.place());
    }
    return howToGoOn()
        .or(
            () ->
                options.restore().map(from -> NONE_YET + "; it began from " + Places.inShell(from)))
        .orElseGet(() -> NONE_YET + keptBesides());
  }

  /** Of earlier runs nothing is there that would look like this one's. */
  private String keptBesides() {
    PlacedFile best = out.file(EarlierResults.BEST);
    return best.exists()
        ? ", only " + Places.shown(best.place()) + " is kept"
        : ", nothing is kept";
  }

  /** How to train on from the last checkpoint, if there is one. */
  Optional<String> howToGoOn() {
    return running()
        .map(it -> Checkpoints.folderOf(options, it.job().getJobID()))
        .flatMap(Checkpoints::newestBelow)
        .map(found -> how() + Places.inShell(found));
  }

  /** A comparison cannot go on with one of its runs. */
  private static String how() {
    return ParentWatch.hasParent()
        ? "to go on from the last checkpoint with this run alone, give braid train its options and --restore "
        : "to go on from the last checkpoint, add --restore ";
  }
}
