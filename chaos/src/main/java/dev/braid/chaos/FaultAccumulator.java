package dev.braid.chaos;

import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/**
 * Carries what the ranks' links say of faults to the client, with the heartbeats that Flink sends
 * anyway: when no message arrives, this does.
 *
 * <p>The task's thread sets it and Flink's heartbeat reads it: one reference to an immutable
 * string, hence no lock.
 */
public final class FaultAccumulator implements SimpleAccumulator<String> {

  private static final long serialVersionUID = 1L;

  private volatile String json = "";

  @Override
  public void add(String value) {
    json = value;
  }

  @Override
  public String getLocalValue() {
    return json;
  }

  @Override
  public void resetLocal() {
    json = "";
  }

  @Override
  public void merge(Accumulator<String, String> other) {
    String more = other.getLocalValue();
    if (!more.isEmpty()) {
      json = json.isEmpty() ? more : json + "," + more;
    }
  }

  @Override
  public Accumulator<String, String> clone() {
    FaultAccumulator copy = new FaultAccumulator();
    copy.json = json;
    return copy;
  }
}
