package dev.braid.run.scoring;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.learner.math.NativeWorkspace;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls a registry on a thread of its own, loads the versions that are to serve, and hands them
 * over to the thread that scores. A version that cannot be loaded never replaces a good one.
 *
 * <p>Each loaded version has one owner: this thread until {@link #take} returns it, and then the
 * caller, which closes it.
 *
 * @param <T> the records
 */
public final class RegistryFollower<T> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryFollower.class);
  private static final Duration END_WAIT = Duration.ofSeconds(10);

  /**
   * Times of polling a registry.
   *
   * @param poll time between two polls
   * @param first maximum time that {@link #await} waits for a first version
   */
  public record Times(Duration poll, Duration first) implements Serializable {

    /** Usual times: a poll each second, and a minute for the first version. */
    public static final Times USUAL = new Times(Duration.ofSeconds(1), Duration.ofMinutes(1));
  }

  /** One version that is in service. */
  private static final class Slot<T> {
    final OptionalInt fixed;
    final VersionWatch<ServedModel<T>> watch;
    final AtomicReference<Optional<ServedModel<T>>> loaded =
        new AtomicReference<>(Optional.empty());

    // Guarded by the follower.
    boolean hasLoaded;
    Optional<String> refusal = Optional.empty();

    Slot(OptionalInt fixed, VersionWatch.Loader<ServedModel<T>> loader) {
      this.fixed = fixed;
      this.watch = new VersionWatch<>(fixed, loader);
    }
  }

  private final VersionChoice choice;
  private final ScoringMetrics metrics;
  private final Times times;
  private final Runnable news;
  private final List<Slot<T>> slots = new ArrayList<>();
  private final Thread thread;

  private Optional<ModelRegistry> registry = Optional.empty();

  /** Reason why the registry could not be read at the last poll. Guarded by this. */
  private Optional<String> unreachable = Optional.empty();

  /** Error that has ended the thread, if one has. Guarded by this. */
  private Optional<Throwable> failure = Optional.empty();

  private volatile boolean isClosed;

  /**
   * Starts the thread.
   *
   * @param name name of the thread
   * @param rows samples of the largest batch
   * @param news called on the thread when {@link #take} has something to return or to throw
   */
  public RegistryFollower(
      String name,
      VersionChoice choice,
      FeatureForm<T> form,
      int rows,
      ScoringMetrics metrics,
      Times times,
      Runnable news) {
    this.choice = choice;
    this.metrics = metrics;
    this.times = times;
    this.news = news;
    VersionWatch.Loader<ServedModel<T>> loader =
        (from, version) -> ServedModel.load(from, version, form, rows);
    slots.add(new Slot<>(choice.fixedNumber(), loader));
    if (choice.hasCanary()) {
      slots.add(new Slot<>(OptionalInt.of(choice.canary()), loader));
    }
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
  }

  /** Returns the number of versions that are in service at a time: 2 with a canary. */
  int slots() {
    return slots.size();
  }

  /**
   * Waits until each slot has a first version to {@link #take}.
   *
   * @throws NoVersionException if one was refused, or none came in time
   */
  public synchronized void await() throws InterruptedException, NoVersionException {
    long end = System.nanoTime() + times.first.toNanos();
    for (Slot<T> slot : slots) {
      while (failure.isEmpty() && !slot.hasLoaded) {
        if (slot.refusal.isPresent()) {
          throw new NoVersionException(choice.registry() + ": " + slot.refusal.get());
        }
        long left = end - System.nanoTime();
        if (left <= 0) {
          throw new NoVersionException(noVersion(slot));
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    }
  }

  private synchronized String noVersion(Slot<T> slot) {
    String version =
        slot.fixed.isPresent()
            ? "version " + ModelVersion.name(slot.fixed.getAsInt())
            : "a version of a model";
    return "%s: %s is not there after %d s: %s"
        .formatted(
            choice.registry(),
            version,
            times.first.toSeconds(),
            unreachable.orElse("publish it, or name another place"));
  }

  /**
   * Returns a version that has been loaded since the last call, if one was. The caller closes it
   * when another one has taken its place.
   *
   * @param slot 0 for the version that serves, 1 for the canary
   * @throws IllegalStateException if the thread has failed
   */
  Optional<ServedModel<T>> take(int slot) {
    synchronized (this) {
      if (failure.isPresent()) {
        throw new IllegalStateException(
            "no more versions can be loaded: " + failure.get(), failure.get());
      }
    }
    return slots.get(slot).loaded.getAndSet(Optional.empty());
  }

  private void run() {
    try {
      while (!isClosed) {
        poll();
        Thread.sleep(times.poll.toMillis());
      }
    } catch (InterruptedException e) {
      // Only close() interrupts this thread; nothing after it may be interrupted.
      LOG.debug("{}: stopped following", choice.registry());
    } catch (Throwable e) {
      synchronized (this) {
        failure = Optional.of(e);
        notifyAll();
      }
      news.run();
    } finally {
      var unused = Thread.interrupted();
      slots.forEach(slot -> slot.loaded.getAndSet(Optional.empty()).ifPresent(ServedModel::close));
      registry.ifPresent(ModelRegistry::close);
      NativeWorkspace.free();
    }
  }

  private void poll() {
    for (Slot<T> slot : slots) {
      Optional<ServedModel<T>> model = Optional.empty();
      try {
        if (registry.isEmpty()) {
          registry = Optional.of(choice.registry().open());
        }
        model = slot.watch.poll(registry.get());
        reached();
      } catch (InvalidDataException e) {
        refused(slot, e.getMessage());
      } catch (IOException e) {
        unreachable(e);
      }
      model.ifPresent(it -> handOver(slot, it));
      // An earlier version may serve although a newer one was refused.
      slot.watch.refusal().ifPresent(reason -> refused(slot, reason));
    }
  }

  private void handOver(Slot<T> slot, ServedModel<T> model) {
    LOG.info("{}: {} is loaded", choice.registry(), model.name());
    slot.loaded.getAndSet(Optional.of(model)).ifPresent(ServedModel::close);
    synchronized (this) {
      slot.hasLoaded = true;
      slot.refusal = Optional.empty();
      notifyAll();
    }
    news.run();
  }

  private synchronized void refused(Slot<T> slot, String reason) {
    if (isClosed || slot.refusal.equals(Optional.of(reason))) {
      return;
    }
    LOG.warn("{}: refused: {}", choice.registry(), reason);
    metrics.refused();
    slot.refusal = Optional.of(reason);
    notifyAll();
  }

  private synchronized void unreachable(IOException e) {
    if (unreachable.isEmpty() && !isClosed) {
      LOG.warn("{}: cannot be read; trying again each {}", choice.registry(), times.poll, e);
    }
    unreachable = Optional.of("cannot be read: " + e);
  }

  private synchronized void reached() {
    if (unreachable.isPresent()) {
      LOG.info("{}: can be read again", choice.registry());
    }
    unreachable = Optional.empty();
  }

  /** Ends the thread, which closes the versions that have not been taken. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    try {
      thread.join(END_WAIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
