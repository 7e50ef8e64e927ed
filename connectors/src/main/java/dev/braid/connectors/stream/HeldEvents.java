package dev.braid.connectors.stream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Events for readers. While a checkpoint is taken, events for a reader wait until the reader has
 * resumed after it. After a savepoint that stops the job, the reader never resumes: its task ends,
 * and Flink would restart a job that sends events to an ended task.
 */
final class HeldEvents {

  /**
   * A reader's waiting events.
   *
   * @param checkpoint id of the checkpoint after which the reader has to resume
   */
  private record Held(long checkpoint, List<Runnable> events) {}

  private final Map<Integer, Held> held = new HashMap<>();

  /** Holds events for some readers from now on. */
  void hold(long checkpoint, Collection<Integer> readers) {
    for (int reader : readers) {
      Held earlier = held.get(reader);
      held.put(
          reader, new Held(checkpoint, earlier == null ? new ArrayList<>() : earlier.events()));
    }
  }

  /** Sends an event to a reader, immediately or as soon as the reader has resumed. */
  void send(int reader, Runnable event) {
    Held waiting = held.get(reader);
    if (waiting == null) {
      event.run();
    } else {
      waiting.events().add(event);
    }
  }

  /** Sends the waiting events of a reader that has resumed after a checkpoint. */
  void resumed(int reader, long checkpoint) {
    Held waiting = held.get(reader);
    if (waiting != null && waiting.checkpoint() <= checkpoint) {
      held.remove(reader);
      waiting.events().forEach(Runnable::run);
    }
  }

  /**
   * Sends the waiting events of an aborted checkpoint, because some readers may not learn of it.
   */
  void aborted(long checkpoint) {
    List.copyOf(held.keySet()).forEach(reader -> resumed(reader, checkpoint));
  }

  /** Discards the waiting events of a restarted reader, which receives everything again. */
  void forget(int reader) {
    held.remove(reader);
  }
}
