package dev.braid.job.train;

import dev.braid.files.PlacedFile;
import dev.braid.job.console.Launched;
import dev.braid.job.console.ParentWatch;
import dev.braid.job.console.Places;
import dev.braid.job.console.Signals;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.rest.CauseChain;
import dev.braid.run.result.EarlierResults;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.flink.core.execution.JobClient;

/**
 * Reaction to Ctrl-C in an embedded run. A checkpoint is taken, the job is cancelled, and the user
 * learns how to resume. The process continues until the run has closed its resources, because Flink
 * otherwise leaves files in the system's temporary folder. A second Ctrl-C ends the process at
 * once.
 *
 * <p>The checkpoint is taken before the JVM starts its shutdown, in which Flink closes parts of
 * itself.
 */
final class Interruption implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  /** Longest wait for a checkpoint, which waits for the end of a round and may be large. */
  private static final long CHECKPOINT_SECONDS = 30;

  /** Part of Flink's message about a checkpoint of a job that has only just started. */
  private static final String NOT_ALL_RUN = "required tasks are currently running";

  private static final String NONE_YET = "there was no checkpoint yet";

  /**
   * A running job.
   *
   * @param checkpoint takes a checkpoint
   * @param told receives a message on the remains of a run that was stopped
   */
  private record Running(
      JobClient job, Supplier<CompletableFuture<String>> checkpoint, Consumer<String> told) {}

  private final Thread hook = new Thread(this::stop, "braid-interrupted");
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Terminal terminal;
  private final TrainArguments arguments;
  private final TrainOptions options;
  private final OutPlace out;
  private final PlacedFile model;
  private final Optional<Long> modelBefore;

  private final Optional<Signals> signals;

  private Optional<Running> running = Optional.empty();
  private boolean stopping;
  private boolean over;
  private boolean interrupted;

  /**
   * Creates the handler, to be closed when the run has closed its resources.
   *
   * @param arguments as they were typed
   */
  Interruption(Terminal terminal, TrainArguments arguments, TrainOptions options) {
    this.terminal = terminal;
    this.arguments = arguments;
    this.options = options;
    this.out = OutPlace.of(options);
    this.model = out.file(EarlierResults.MODEL);
    this.modelBefore = model.lastModifiedMillis();
    Runtime.getRuntime().addShutdownHook(hook);
    // A comparison stops its runs without using their checkpoints.
    this.signals =
        ParentWatch.hasParent()
            ? Optional.empty()
            : Optional.of(Signals.handle(this::takeCheckpoint, terminal::endLine));
  }

  /**
   * Returns whether the process is being stopped: the run must then close its resources, and its
   * end is no failure.
   */
  synchronized boolean interrupted() {
    return interrupted;
  }

  /**
   * Registers the run's job.
   *
   * @param checkpoint takes a checkpoint of the job and returns its place
   * @param told receives a message on the remains of a run that was stopped
   * @return false if the process is already being stopped; the caller must then end the job
   */
  synchronized boolean jobBegins(
      JobClient job, Supplier<CompletableFuture<String>> checkpoint, Consumer<String> told) {
    if (!interrupted) {
      running = Optional.of(new Running(job, checkpoint, told));
    }
    return !interrupted;
  }

  /** Signals that the run's end has been reported. */
  synchronized void jobIsOver() {
    over = true;
  }

  @Override
  public void close() {
    closed.countDown();
    signals.ifPresent(Signals::close);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running.
    }
  }

  /** Takes a checkpoint at the first signal, in the signal's thread. */
  private void takeCheckpoint() {
    Optional<Running> saving = beginToStop();
    if (saving.isEmpty()) {
      return;
    }
    terminal.endLine();
    terminal.print(
        "taking a checkpoint, for at most %d s, then stopping; Ctrl-C again stops at once"
            .formatted(CHECKPOINT_SECONDS));
    try {
      saving.get().checkpoint().get().get(CHECKPOINT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      terminal.print("the checkpoint was not complete in time");
    } catch (ExecutionException | IllegalStateException e) {
      // A job that has just ended cannot take a checkpoint, and reports its end itself.
      if (!isOver()) {
        String reason = CauseChain.of(e).deepest().line();
        terminal.print(
            "no checkpoint was taken: "
                + (reason.contains(NOT_ALL_RUN) ? "not all tasks ran yet" : reason));
      }
    }
  }

  private synchronized Optional<Running> beginToStop() {
    Optional<Running> saving = over ? Optional.empty() : running;
    stopping = saving.isPresent();
    return saving;
  }

  private synchronized boolean isOver() {
    return over;
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

  /** Marks the run as interrupted; returns whether it was over before. */
  private synchronized boolean interrupt() {
    interrupted = true;
    return over;
  }

  /** Stops the job; returns whether it has ended, so that the run can be closed. */
  private boolean stopJob() throws InterruptedException {
    terminal.endLine();
    if (!isStopping()) {
      terminal.print("stopping ...");
    }
    Optional<Running> ending = running();
    boolean ended = ending.isEmpty() || cancel(ending.get().job());
    if (!ended) {
      terminal.print("the job did not stop in time; the process ends without it");
    }
    String stopped = ParentWatch.hasParent() ? "stopped" : "stopped: " + kept();
    terminal.printLast(stopped);
    ending.ifPresent(it -> it.told().accept(stopped));
    return ended;
  }

  private static boolean cancel(JobClient job) throws InterruptedException {
    try {
      job.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      job.getJobExecutionResult().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | IllegalStateException e) {
      // The job was cancelled as requested, or had ended before, or all of Flink had.
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private synchronized Optional<Running> running() {
    return running;
  }

  /** Returns whether the user has been informed that the run is being stopped. */
  private synchronized boolean isStopping() {
    return stopping;
  }

  /** Returns a message on the remains of the run and how to resume it. */
  String kept() {
    // The end of the last epoch, the model and the end of the job are moments apart.
    Optional<Long> modelNow = model.lastModifiedMillis();
    if (modelNow.isPresent() && !modelNow.equals(modelBefore)) {
      return "training was complete; the model is in " + Places.shown(model.place());
    }
    return howToResume()
        .or(
            () ->
                options
                    .recovery()
                    .restore()
                    .map(
                        from ->
                            NONE_YET
                                + "; it began from "
                                + Places.shown(from)
                                + "; to resume: "
                                + arguments.resuming(command(), Places.shown(from))))
        .orElseGet(() -> NONE_YET + keptBesides());
  }

  /**
   * Names other results. Those of earlier runs were moved away, so that they cannot be mistaken for
   * this run's.
   */
  private String keptBesides() {
    PlacedFile best = out.file(EarlierResults.BEST);
    return best.exists()
        ? ", only " + Places.shown(best.place()) + " is kept"
        : ", nothing is kept";
  }

  /** Returns how to resume from the last checkpoint; empty if there is none. */
  Optional<String> howToResume() {
    return running()
        .map(it -> Checkpoints.folderOf(options, it.job().getJobID()))
        .flatMap(Checkpoints::newestBelow)
        .map(
            found ->
                "its last checkpoint is %s; to resume: %s"
                    .formatted(Places.shown(found), resuming(found)));
  }

  private static String command() {
    return Launched.braid() + " train";
  }

  /**
   * Returns the command that resumes the run from its last checkpoint.
   *
   * @param checkpoint place of the checkpoint
   */
  String resuming(String checkpoint) {
    // Only this run writes to its own folder, but other runs may write to one that the user has
    // named.
    return arguments.resuming(
        command(),
        options.recovery().checkpointDir().isPresent()
            ? Places.shown(checkpoint)
            : TrainOptions.LATEST);
  }
}
