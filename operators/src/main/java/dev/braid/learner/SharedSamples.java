package dev.braid.learner;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Samples that all tasks of a job in this JVM have together, read by the first of them: they are
 * read-only, and with many workers in a process, each with its own copy, it would have no memory
 * left, and nothing to do but to read. They are there as long as any task uses them, and a restart
 * ends all tasks before it begins any anew.
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
   * Says that somebody uses samples; to be closed with whoever does.
   *
   * @param name of the job, and of these samples among those of the job
   * @param read reads them, if this is the first to ask for them
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
   * The samples, when they have been read.
   *
   * @throws IOException if they cannot be read, as for all who use them
   */
  public Samples get() throws IOException {
    // By whoever is first; nothing happens for the others.
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
