package dev.braid.exchange;

/**
 * Name and meaning of a metric.
 *
 * @param key the name, without that of its group
 * @param help the meaning, as one sentence for Prometheus
 */
public record MetricName(String key, String help) {

  private static final String TOTAL = "_total";

  /** Returns whether the value only grows. */
  public boolean isCounter() {
    return key.endsWith(TOTAL);
  }
}
