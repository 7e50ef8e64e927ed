package dev.braid.run.report;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.run.report.reported.PendingVersions;
import dev.braid.run.report.reported.PendingVersions.Last;
import dev.braid.run.report.reported.PendingVersions.Pending;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.ResultFiles;
import dev.braid.worker.state.RecordState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes versions of a run's model in a thread of its own, so that a registry that does not
 * respond costs the run nothing. A version is published once a checkpoint that contains it is
 * complete, so no restart goes back to before a published version.
 */
final class ModelPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ModelPublisher.class);

  /** Time for a registry to respond at the end of the run. */
  private static final Duration PATIENCE_AT_LAST = Duration.ofMinutes(2);

  private final Publishing publishing;
  private final ReportConfig config;
  private final String job;
  private final boolean isCheckpointed;
  private final MailboxExecutor mailbox;
  private final PendingVersions versions;
  private final RecordState<Last> last;
  private final RecordState<Pending> pending;
  private final ResultFiles writer;

  /** Models to publish, oldest first. */
  private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();

  /** Name of the registry in messages. */
  private final String title;

  private final IntConsumer published;

  /**
   * Time when a version was last published, in ms since 1970; threads of metric reporters read it,
   * too.
   */
  private volatile long publishedMillis;

  private volatile int newest;
  private boolean isConcluded;

  /**
   * Continues with the versions in the state or, without state, after the newest version in the
   * registry.
   *
   * @param job id of the Flink job
   * @param isCheckpointed whether the job has checkpoints; if not, versions do not wait for one
   * @param published takes the number of each version, in the task's thread
   * @throws IOException if the registry cannot be read
   */
  ModelPublisher(
      OperatorStateStore store,
      Publishing publishing,
      ReportConfig config,
      String job,
      boolean isCheckpointed,
      MailboxExecutor mailbox,
      IntConsumer published)
      throws Exception {
    this.publishing = publishing;
    this.config = config;
    this.job = job;
    this.isCheckpointed = isCheckpointed;
    this.mailbox = mailbox;
    this.published = published;
    this.title = "a version in " + publishing.registry();
    this.versions = new PendingVersions(publishing.pace());
    this.last = RecordState.of(store, "last-version", Last.class);
    this.pending = RecordState.of(store, "versions", Pending.class);
    List<Last> before = last.get();
    List<Pending> waiting = pending.get();
    int newestThere = before.isEmpty() ? publishing.newest(config.texts().card()) : 0;
    // The registry is read first: if that failed later, the writer's thread would leak.
    this.writer = new ResultFiles(ResultFiles.RETRY);
    if (before.isEmpty()) {
      versions.begin(newestThere);
    } else {
      versions.restore(before.get(0), waiting);
      publish(versions.giveOutAll());
    }
  }

  /** Returns the queue that takes models. */
  PendingVersions versions() {
    return versions;
  }

  /** Publishes models that may have been taken, if they need not wait for a checkpoint. */
  void taken() {
    if (!isCheckpointed) {
      publish(versions.giveOutAll());
    }
  }

  void snapshot(long checkpoint) throws Exception {
    pending.update(versions.save(checkpoint));
    last.update(List.of(versions.last()));
  }

  /**
   * Publishes the models of a complete checkpoint.
   *
   * @throws IOException if the run has ended, and a version in the checkpoint cannot be published
   */
  void complete(long checkpoint) throws IOException, InterruptedException {
    publish(versions.complete(checkpoint));
    if (isConcluded) {
      await();
    }
  }

  /**
   * Takes the final weights of the run as a version.
   *
   * @throws IOException if the job has no checkpoint to wait for, and they cannot be published
   */
  void conclude(long round, Optional<Evaluation> evaluation, float[] weights)
      throws IOException, InterruptedException {
    versions.conclude(round, evaluation, weights, System.currentTimeMillis());
    isConcluded = true;
    if (!isCheckpointed) {
      publish(versions.giveOutAll());
      await();
    }
  }

  private void publish(List<Pending> models) {
    if (queue.addAll(models)) {
      writer.write(title, this::publishNext);
    }
  }

  /**
   * Publishes the oldest model, in the writer's thread. Models are published one by one, since a
   * later version must not come first. Each one is a write of its own, because a long write counts
   * as a registry that does not respond.
   */
  private void publishNext() throws IOException {
    Pending next = queue.peek();
    if (next != null) {
      publish(next);
      queue.remove();
      if (!queue.isEmpty()) {
        writer.write(title, this::publishNext);
      }
    }
  }

  private void publish(Pending model) throws IOException {
    int number;
    try {
      number = publishing.publish(model, config, job);
    } catch (InvalidDataException e) {
      throw new IOException(e.getMessage(), e);
    }
    newest = Math.max(newest, number);
    publishedMillis = System.currentTimeMillis();
    LOG.info(
        "{} is published in {}: the model after round {}",
        ModelVersion.name(number),
        publishing.registry(),
        model.round());
    try {
      mailbox.execute(
          () -> {
            versions.published(model.number());
            published.accept(number);
          },
          "a version is published");
    } catch (RejectedExecutionException e) {
      // The task is ending. After a restart, the version is found in the registry.
      LOG.debug("{} stays in the state", ModelVersion.name(number), e);
    }
  }

  private void await() throws IOException, InterruptedException {
    Optional<String> trouble = writer.await(title, PATIENCE_AT_LAST);
    if (trouble.isPresent()) {
      throw new IOException(trouble.get());
    }
  }

  /** Returns the number of the newest version that this attempt has published; 0 for none. */
  int newest() {
    return newest;
  }

  /** Returns the time since a version was last published, in seconds; NaN before the first one. */
  double ageSeconds() {
    return newest == 0 ? Double.NaN : (System.currentTimeMillis() - publishedMillis) / 1e3;
  }

  /** Returns what could not be published so far, and why, a sentence each. */
  List<String> troubles(long nowNanos) {
    return writer.troubles(nowNanos);
  }

  @Override
  public void close() {
    writer.close();
  }
}
