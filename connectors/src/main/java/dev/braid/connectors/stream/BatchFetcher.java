package dev.braid.connectors.stream;

import dev.braid.learner.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.SourceReaderContext;

/**
 * Reads the batches of one worker in a thread of its own, a few ahead: a broker may take its time,
 * and the thread of a task must not wait.
 */
final class BatchFetcher implements AutoCloseable {

  /** Batches that are ready and not taken, at most. */
  private static final int AHEAD = 4;

  private static final long CLOSING_MILLIS = 5_000;

  private record Job(Deal deal, long fromRound) {}

  private final StreamConfig config;
  private final SourceReaderContext context;
  private final Thread thread = new Thread(this::run, "braid-fetch");

  // Guarded by this object.

  private final Deque<Job> jobs = new ArrayDeque<>();
  private final Deque<Batch> ready = new ArrayDeque<>();
  private CompletableFuture<Void> available = new CompletableFuture<>();
  private Optional<RuntimeException> failure = Optional.empty();
  private boolean isClosed;

  BatchFetcher(StreamConfig config, SourceReaderContext context) {
    this.config = config;
    this.context = context;
    thread.setDaemon(true);
    thread.setContextClassLoader(BatchFetcher.class.getClassLoader());
  }

  void start() {
    thread.start();
  }

  // ---- the task's side -------------------------------------------------------------------------

  /** Has the batches of a deal of one share read, from a round on. */
  synchronized void add(Deal deal, long fromRound) {
    jobs.addLast(new Job(deal, fromRound));
    notifyAll();
  }

  /**
   * Returns the next batch, if it is there.
   *
   * @throws RuntimeException if reading has failed
   */
  synchronized Optional<Batch> peek() {
    if (ready.isEmpty() && failure.isPresent()) {
      throw failure.get();
    }
    return Optional.ofNullable(ready.peekFirst());
  }

  /** Takes the next batch, which is there. */
  synchronized void take() {
    ready.removeFirst();
    notifyAll();
  }

  /** Completes when there is something to ask for. */
  synchronized CompletableFuture<Void> available() {
    if (!ready.isEmpty() || failure.isPresent()) {
      return CompletableFuture.completedFuture(null);
    }
    if (available.isDone()) {
      available = new CompletableFuture<>();
    }
    return available;
  }

  /** Completes what {@link #available} has returned. */
  synchronized void wakeUp() {
    available.complete(null);
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    thread.interrupt();
    try {
      thread.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the thread's side -----------------------------------------------------------------------

  private void run() {
    try (TopicRecords records = new TopicRecords(config, context.metricGroup());
        DeadLetters refusals = new DeadLetters(config.topic(), context.metricGroup())) {
      BatchBuilder batches =
          new BatchBuilder(
              config, config.batchSize(), records, (partition, offset) -> true, refusals);
      for (Optional<Job> job = next(); job.isPresent(); job = next()) {
        read(job.get(), batches);
      }
    } catch (RuntimeException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StackOverflowError | OutOfMemoryError e) {
      fail(new IllegalStateException(config.topic() + ": a record is too large: " + e, e));
    }
  }

  private void read(Job job, BatchBuilder batches) throws InterruptedException {
    Deal deal = job.deal();
    for (long round = Math.max(job.fromRound(), deal.firstRound());
        round < deal.endRound();
        round++) {
      put(batches.batch(round, deal.batch(0, round)));
    }
  }

  private synchronized Optional<Job> next() throws InterruptedException {
    while (jobs.isEmpty() && !isClosed) {
      wait();
    }
    return isClosed ? Optional.empty() : Optional.of(jobs.removeFirst());
  }

  private synchronized void put(Batch batch) throws InterruptedException {
    while (ready.size() >= AHEAD && !isClosed) {
      wait();
    }
    ready.addLast(batch);
    available.complete(null);
  }

  private synchronized void fail(RuntimeException e) {
    if (!isClosed) {
      failure = Optional.of(e);
      available.complete(null);
    }
  }
}
