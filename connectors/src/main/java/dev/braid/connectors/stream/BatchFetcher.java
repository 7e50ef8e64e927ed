package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.learner.Batch;
import dev.braid.learner.OffsetRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the batches of one worker, a few ahead: one thread fetches records, and others decode them.
 * The task's thread must not wait for a broker's answer.
 */
final class BatchFetcher implements AutoCloseable {

  /**
   * Highest number of batches that are fetched and not taken, in addition to those that are being
   * decoded.
   */
  private static final int AHEAD = 4;

  /** Highest number of threads that decode; the worker and the fetching thread need cores, too. */
  private static final int MOST_DECODERS = 4;

  private static final int CORES_OF_A_DECODER = 4;
  private static final long CLOSING_MILLIS = 5_000;

  private record Job(Deal deal, long fromRound) {}

  private final StreamConfig config;
  private final MetricGroup metrics;
  private final Supplier<TopicRecords> topicRecords;
  private final Thread thread = daemon(this::run, "braid-fetch");
  private final int decoders = Math.max(1, Math.min(MOST_DECODERS, cores() / CORES_OF_A_DECODER));

  /** Builders that no thread is using. */
  private final Queue<BatchBuilder> idle = new ConcurrentLinkedQueue<>();

  // Guarded by this object.

  private final Deque<Job> jobs = new ArrayDeque<>();

  /** Batches in order; a future is complete when its batch is decoded. */
  private final Deque<CompletableFuture<Batch>> batches = new ArrayDeque<>();

  private CompletableFuture<Void> available = new CompletableFuture<>();
  private Optional<RuntimeException> failure = Optional.empty();
  private boolean isClosed;

  BatchFetcher(StreamConfig config, MetricGroup metrics) {
    this(config, metrics, () -> new TopicRecords(config, metrics));
  }

  /** Creates a fetcher of these records, which it opens and closes. */
  BatchFetcher(StreamConfig config, MetricGroup metrics, Supplier<TopicRecords> topicRecords) {
    this.config = config;
    this.metrics = metrics;
    this.topicRecords = topicRecords;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(BatchFetcher.class.getClassLoader());
    return thread;
  }

  void start() {
    thread.start();
  }

  // ---- the task's side -------------------------------------------------------------------------

  /** Requests the batches of a deal of one share, from a round on. */
  synchronized void add(Deal deal, long fromRound) {
    jobs.addLast(new Job(deal, fromRound));
    notifyAll();
  }

  /**
   * Returns the next batch, if it is ready.
   *
   * @throws RuntimeException if reading or decoding has failed
   */
  synchronized Optional<Batch> peek() {
    if (batches.isEmpty() && failure.isPresent()) {
      throw failure.get();
    }
    try {
      return hasBatch() ? Optional.of(batches.getFirst().join()) : Optional.empty();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Error error ? failure(error) : (RuntimeException) e.getCause();
    }
  }

  private boolean hasBatch() {
    return !batches.isEmpty() && batches.getFirst().isDone();
  }

  /** Removes the next batch, which must be ready. */
  synchronized void take() {
    batches.removeFirst();
    notifyAll();
  }

  /** Returns a future that completes when the next batch or a failure is available. */
  synchronized CompletableFuture<Void> available() {
    if (hasBatch() || (batches.isEmpty() && failure.isPresent())) {
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

  // ---- the threads' side -----------------------------------------------------------------------

  private void run() {
    ExecutorService decoding =
        Executors.newFixedThreadPool(decoders, task -> daemon(task, "braid-decode"));
    try (TopicRecords records = topicRecords.get();
        DeadLetters refusals = new DeadLetters(config.topic(), metrics)) {
      try {
        read(records, refusals, decoding);
      } catch (RuntimeException e) {
        fail(e);
      } catch (OutOfMemoryError e) {
        fail(failure(e));
      } finally {
        end(decoding);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /**
   * Waits until batches that were fetched before a failure are decoded, because the task receives
   * them before the failure. After the fetcher is closed, the wait is short.
   */
  private void end(ExecutorService decoding) throws InterruptedException {
    decoding.shutdown();
    try {
      boolean isDone = false;
      while (!isDone && !isClosed()) {
        isDone = decoding.awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      decoding.shutdownNow();
    }
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private void read(TopicRecords records, DeadLetters refusals, ExecutorService decoding)
      throws InterruptedException {
    for (Optional<Job> job = next(); job.isPresent(); job = next()) {
      Deal deal = job.get().deal();
      long first = Math.max(job.get().fromRound(), deal.firstRound());
      for (long round = first; round < deal.endRound(); round++) {
        long number = round;
        List<OffsetRange> offsets = deal.batch(0, round);
        List<ConsumerRecord<byte[], byte[]>> fetched = records.read(offsets);
        put(() -> decode(number, offsets, fetched, refusals), decoding);
      }
    }
  }

  private synchronized Optional<Job> next() throws InterruptedException {
    while (jobs.isEmpty() && !isClosed) {
      wait();
    }
    return isClosed ? Optional.empty() : Optional.of(jobs.removeFirst());
  }

  private synchronized void put(Supplier<Batch> batch, Executor decoding)
      throws InterruptedException {
    while (batches.size() >= AHEAD + decoders && !isClosed) {
      wait();
    }
    CompletableFuture<Batch> decoded = CompletableFuture.supplyAsync(batch, decoding);
    batches.addLast(decoded);
    // Wakes up the task whether decoding has succeeded or failed.
    var unused = decoded.whenComplete((value, problem) -> wakeUp());
  }

  private Batch decode(
      long round,
      List<OffsetRange> offsets,
      List<ConsumerRecord<byte[], byte[]>> records,
      BatchBuilder.Refusals refusals) {
    BatchBuilder builder =
        Optional.ofNullable(idle.poll())
            .orElseGet(
                () ->
                    new BatchBuilder(
                        config, config.batches().size(), (partition, offset) -> true, refusals));
    Batch batch = builder.batch(round, offsets, records);
    idle.add(builder);
    return batch;
  }

  private RuntimeException failure(Error e) {
    boolean isTooLarge = e instanceof StackOverflowError || e instanceof OutOfMemoryError;
    return new IllegalStateException(
        config.topic() + (isTooLarge ? ": a record is too large: " : ": ") + e, e);
  }

  private synchronized void fail(RuntimeException e) {
    if (!isClosed) {
      failure = Optional.of(e);
      available.complete(null);
    }
  }
}
