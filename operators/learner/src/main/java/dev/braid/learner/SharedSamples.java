package dev.braid.learner;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Samples that all tasks of a job in this JVM share. The first task reads them. They are read-only:
 * a copy for each of many workers in a process would exhaust its memory, and each worker would
 * spend its time reading. The samples are held while any task uses them. A restart ends all tasks
 * before it starts new ones.
 */
public final class SharedSamples implements AutoCloseable {

  private static final Map<String, Reading> BY_NAME = new ConcurrentHashMap<>();

  private static final class Reading {
    final FutureTask<Samples> samples;
    int users;

    Reading(Callable<Samples> read) {
      samples = new FutureTask<>(read);
    }
  }

  private final String name;
  private final Reading reading;
  private boolean closed;

  private SharedSamples(String name, Reading reading) {
    this.name = name;
    this.reading = reading;
  }

  /**
   * Registers a user of the samples. The user must close the returned handle.
   *
   * @param name name of the job, and of these samples within the job
   * @param read reads the samples; called if this is the first user that requests them
   */
  public static SharedSamples use(String name, Callable<Samples> read) {
    Reading reading =
        BY_NAME.compute(
            name,
            (key, known) -> {
              Reading joined = known == null ? new Reading(read) : known;
              joined.users++;
              return joined;
            });
    return new SharedSamples(name, reading);
  }

  /**
   * Returns the samples, and waits until they have been read.
   *
   * @throws IOException if the samples cannot be read; every user gets this failure
   */
  public Samples get() throws IOException {
    // The first caller reads the samples; for the others, this does nothing.
    reading.samples.run();
    try {
      return reading.samples.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while samples were read", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      BY_NAME.computeIfPresent(name, (key, known) -> --known.users == 0 ? null : known);
    }
  }
}
