package dev.braid.connectors.stream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Events for readers. While a checkpoint is taken, those for a reader wait until the reader has
 * resumed behind it. After a savepoint that stops the job it never does: its task ends, and Flink
 * restarts a job whose events meet a task that has ended.
 */
final class HeldEvents {

  /**
   * A reader's events that wait.
   *
   * @param checkpoint the one that the reader has to resume behind
   */
  private record Held(long checkpoint, List<Runnable> events) {}

  private final Map<Integer, Held> held = new HashMap<>();

  /** Holds what is sent to some readers from now on. */
  void hold(long checkpoint, Collection<Integer> readers) {
    for (int reader : readers) {
      Held earlier = held.get(reader);
      held.put(
          reader, new Held(checkpoint, earlier == null ? new ArrayList<>() : earlier.events()));
    }
  }

  /** Sends an event to a reader, at once or as soon as the reader has resumed. */
  void send(int reader, Runnable event) {
    Held waiting = held.get(reader);
    if (waiting == null) {
      event.run();
    } else {
      waiting.events().add(event);
    }
  }

  /** A reader has resumed behind a checkpoint. */
  void resumed(int reader, long checkpoint) {
    Held waiting = held.get(reader);
    if (waiting != null && waiting.checkpoint() <= checkpoint) {
      held.remove(reader);
      waiting.events().forEach(Runnable::run);
    }
  }

  /** A checkpoint is not taken: some readers may not learn of it. */
  void aborted(long checkpoint) {
    List.copyOf(held.keySet()).forEach(reader -> resumed(reader, checkpoint));
  }

  /** A reader has been restarted, and gets all that it needs again. */
  void forget(int reader) {
    held.remove(reader);
  }
}
