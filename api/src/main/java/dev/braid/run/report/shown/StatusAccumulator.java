package dev.braid.run.report.shown;

import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/**
 * Carries the report's status to the client, with the heartbeats that Flink sends anyway.
 *
 * <p>The task's thread sets it and Flink's heartbeat reads it: one reference to an immutable
 * string, hence no lock.
 */
final class StatusAccumulator implements SimpleAccumulator<String> {

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
    if (!other.getLocalValue().isEmpty()) {
      json = other.getLocalValue();
    }
  }

  @Override
  public Accumulator<String, String> clone() {
    StatusAccumulator copy = new StatusAccumulator();
    copy.json = json;
    return copy;
  }
}
