package dev.braid.job.compare;

import dev.braid.job.console.Signals;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reaction to Ctrl-C in a comparison: the run in progress is stopped, no other starts, and the
 * process continues until the results have been shown. A second Ctrl-C ends both processes at once.
 */
final class CompareInterruption implements AutoCloseable {

  /** Longest wait, in seconds; a run stops in less. */
  private static final long PATIENCE_SECONDS = 40;

  private final Terminal terminal;
  private final Thread hook = new Thread(this::stop, "braid-compare-interrupted");
  private final CountDownLatch reported = new CountDownLatch(1);

  private final Signals signals;

  private boolean interrupted;
  private Optional<Process> running = Optional.empty();

  CompareInterruption(Terminal terminal) {
    this.terminal = terminal;
    Runtime.getRuntime().addShutdownHook(hook);
    this.signals = Signals.handle(() -> {}, this::kill);
  }

  synchronized boolean interrupted() {
    return interrupted;
  }

  /** Starts a run; returns empty if the comparison was interrupted. */
  synchronized Optional<Process> start(ProcessBuilder run) throws IOException {
    running = interrupted ? Optional.empty() : Optional.of(run.start());
    return running;
  }

  /** Signals that all results have been shown. */
  void reported() {
    reported.countDown();
  }

  /** Kills the run at a second Ctrl-C, which ends this process at once. */
  private synchronized void kill() {
    running.ifPresent(Process::destroyForcibly);
  }

  private void stop() {
    synchronized (this) {
      interrupted = true;
      // Ctrl-C in a terminal reaches the run, too, but a signal to only this process does not.
      running.ifPresent(Process::destroy);
    }
    try {
      if (!reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        terminal.print("the run did not stop in time; the process ends without it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    reported();
    signals.close();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running.
    }
  }
}
