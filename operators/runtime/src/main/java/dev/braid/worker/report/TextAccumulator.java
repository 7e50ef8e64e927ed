package dev.braid.worker.report;

import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/**
 * Carries a text from each subtask to the client, with the heartbeats that Flink sends anyway. It
 * arrives even if no message of the loop does. The texts of several subtasks are separated by
 * commas.
 *
 * <p>The task's thread sets the text and Flink's heartbeat reads it. One reference to an immutable
 * string needs no lock.
 */
public final class TextAccumulator implements SimpleAccumulator<String> {

  private static final long serialVersionUID = 1L;

  private volatile String text = "";

  @Override
  public void add(String value) {
    text = value;
  }

  @Override
  public String getLocalValue() {
    return text;
  }

  @Override
  public void resetLocal() {
    text = "";
  }

  @Override
  public void merge(Accumulator<String, String> other) {
    String more = other.getLocalValue();
    if (!more.isEmpty()) {
      text = text.isEmpty() ? more : text + "," + more;
    }
  }

  @Override
  public Accumulator<String, String> clone() {
    TextAccumulator copy = new TextAccumulator();
    copy.text = text;
    return copy;
  }
}
