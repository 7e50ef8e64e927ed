package dev.braid.run.result;

import dev.braid.files.WholeFile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a run's results in a thread of its own. A disk that is full or does not respond costs the
 * run nothing: a caller that hands over a file waits only if it calls {@link #await}.
 *
 * <p>Only the newest content of each file is kept, and writing is repeated until it succeeds. A
 * write that hangs cannot be ended from here, and those behind it wait. A large write that makes
 * progress does not count as hanging, however long it takes.
 */
public final class ResultFiles implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ResultFiles.class);

  /** Usual time between two attempts. */
  public static final Duration RETRY = Duration.ofSeconds(5);

  /**
   * Time that a disk may take for a piece of a file before the user gets a warning, in nanoseconds.
   */
  private static final long SLOW_NANOS = 10_000_000_000L;

  private static final String NO_ANSWER = " cannot be written: the disk does not respond";

  private static final Duration FAREWELL = Duration.ofSeconds(3);

  /**
   * A write that waits.
   *
   * @param due whether to write it immediately; else an attempt has failed, and another follows
   *     later
   */
  private record Waiting(Writing writing, boolean due) {
    Waiting at(boolean isDue) {
      return new Waiting(writing, isDue);
    }
  }

  /** Writes something, or prepares a disk for it. */
  @FunctionalInterface
  public interface Writing {

    /** Writes the whole, or fails. */
    void run() throws IOException;
  }

  private record First(String place, Writing preparation) {}

  /** Notes the time whenever a piece of a file has been written. */
  private final class Progressing extends FilterOutputStream {
    Progressing(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      progressNanos = System.nanoTime();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      progressNanos = System.nanoTime();
    }
  }

  private final long retryMillis;
  private final long farewellMillis;
  private final Optional<First> first;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final Map<String, String> failures = new TreeMap<>();

  /** The place that is being written. */
  private Optional<String> underway = Optional.empty();

  /** Time when that write began, or last wrote something, in nanoseconds. */
  private volatile long progressNanos = System.nanoTime();

  private boolean closing;
  private final Thread thread;

  /**
   * Starts the thread, with nothing to write.
   *
   * @param retry time between two attempts to write a file that could not be written
   */
  public ResultFiles(Duration retry) {
    this(retry, FAREWELL, Optional.empty());
  }

  /**
   * Starts the thread, which begins with an action.
   *
   * @param retry time between two attempts to write a file that could not be written
   * @param place names the action in messages
   * @param first action on the disk before anything is written
   */
  public ResultFiles(Duration retry, String place, Writing first) {
    this(retry, FAREWELL, Optional.of(new First(place, first)));
  }

  ResultFiles(Duration retry, Duration farewell) {
    this(retry, farewell, Optional.empty());
  }

  private ResultFiles(Duration retry, Duration farewell, Optional<First> first) {
    this.first = first;
    this.retryMillis = retry.toMillis();
    this.farewellMillis = farewell.toMillis();
    this.thread = new Thread(this::run, "braid-results");
    thread.setDaemon(true);
    thread.setContextClassLoader(ResultFiles.class.getClassLoader());
    thread.start();
  }

  /** Writes content to a file later, instead of older content for it that still waits. */
  public void write(String place, WholeFile.Content content) {
    write(place, () -> WholeFile.write(place, out -> content.writeTo(new Progressing(out))));
  }

  /**
   * Runs a write that is not of a file.
   *
   * @param place names it in messages
   * @param writing replaces an older one for the same place that still waits
   */
  public synchronized void write(String place, Writing writing) {
    waiting.put(place, new Waiting(writing, true));
    notifyAll();
  }

  /**
   * Waits until a file has been written or an attempt has failed.
   *
   * @param patience maximum time to wait without any progress of the thread
   * @return why it has not been written; empty if it has been
   */
  public synchronized Optional<String> await(String place, Duration patience)
      throws InterruptedException {
    long beganNanos = System.nanoTime();
    while (isPending(place)) {
      // Times of this clock may have either sign, so only their difference counts.
      long nowNanos = System.nanoTime();
      long quietNanos = Math.min(nowNanos - beganNanos, nowNanos - progressNanos);
      long leftMillis = patience.minusNanos(quietNanos).toMillis();
      if (leftMillis <= 0) {
        return Optional.of(place + NO_ANSWER);
      }
      wait(leftMillis);
    }
    return Optional.ofNullable(failures.get(place));
  }

  private boolean isPending(String place) {
    boolean isDue = waiting.containsKey(place) && waiting.get(place).due();
    return isDue || underway.filter(place::equals).isPresent();
  }

  /** Returns what could not be written yet and why, a sentence each. */
  public synchronized List<String> troubles(long nowNanos) {
    List<String> troubles = new ArrayList<>(failures.values());
    underway
        .filter(it -> nowNanos - progressNanos > SLOW_NANOS)
        .ifPresent(it -> troubles.add(it + NO_ANSWER));
    return troubles;
  }

  // ---- the thread ------------------------------------------------------------------------------

  private void run() {
    try {
      first.ifPresent(this::prepare);
      for (Optional<String> next = next(); next.isPresent(); next = next()) {
        attempt(next.get());
      }
    } catch (InterruptedException e) {
      LOG.warn("abandoned: {}", waiting());
    }
  }

  private void prepare(First wanted) {
    synchronized (this) {
      nowUnderway(wanted.place());
    }
    try {
      wanted.preparation().run();
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("{} cannot be prepared; trying to write it nevertheless", wanted.place(), e);
    }
    synchronized (this) {
      underway = Optional.empty();
    }
  }

  private synchronized List<String> waiting() {
    return List.copyOf(waiting.keySet());
  }

  /** Waits for a file to write; returns empty if there will be no more. */
  private synchronized Optional<String> next() throws InterruptedException {
    while (true) {
      Optional<String> due =
          waiting.entrySet().stream()
              .filter(entry -> entry.getValue().due())
              .map(Map.Entry::getKey)
              .findFirst();
      if (due.isPresent() || closing) {
        return due;
      }
      if (waiting.isEmpty()) {
        wait();
      } else {
        wait(retryMillis);
        tryAllAgain();
      }
    }
  }

  private void tryAllAgain() {
    waiting.replaceAll((place, file) -> file.at(true));
  }

  private void attempt(String place) throws InterruptedException {
    Writing writing = begin(place);
    Optional<String> failure = Optional.empty();
    try {
      writing.run();
    } catch (IOException e) {
      failure = Optional.of(place + " cannot be written: " + WholeFile.reason(e));
      LOG.warn("{} cannot be written; trying again", place, e);
    } catch (RuntimeException | Error e) {
      // The code that makes the content has failed; this thread must continue.
      failure = Optional.of(place + " cannot be written: " + e);
      LOG.warn("{} cannot be written; trying again", place, e);
    }
    end(place, writing, failure);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private synchronized Writing begin(String place) {
    nowUnderway(place);
    return waiting.remove(place).writing();
  }

  private void nowUnderway(String place) {
    progressNanos = System.nanoTime();
    underway = Optional.of(place);
  }

  private synchronized void end(String place, Writing writing, Optional<String> failure) {
    progressNanos = System.nanoTime();
    underway = Optional.empty();
    failure.ifPresentOrElse(
        reason -> {
          failures.put(place, reason);
          waiting.putIfAbsent(place, new Waiting(writing, false));
        },
        () -> failures.remove(place));
    notifyAll();
  }

  /** Writes what waits, but waits only briefly for a disk that does not respond. */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
      tryAllAgain();
      notifyAll();
    }
    try {
      thread.join(farewellMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // If the thread is still alive, a later attempt of the job may write newer files: see
    // WholeFile.
    thread.interrupt();
  }

  /** Waits until the thread has ended: forever if a disk never responds. */
  void join() throws InterruptedException {
    thread.join();
  }
}
