package dev.braid.run.scoring;

import dev.braid.connectors.registry.ModelVersion;
import dev.braid.worker.report.BraidMetric;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;

/** Metrics of an operator that scores records. */
public final class ScoringMetrics {

  private static final double MILLIS = 1e3;

  private final Counter records;
  private final Counter errors;
  private final Counter refused;
  private final Counter swaps;

  private volatile Optional<ModelVersion> inService = Optional.empty();

  /**
   * Registers the metrics.
   *
   * @param operator group of the operator's metrics
   */
  public ScoringMetrics(MetricGroup operator) {
    MetricGroup group = operator.addGroup(BraidMetric.GROUP);
    records = group.counter(BraidMetric.SCORED_RECORDS.key());
    errors = group.counter(BraidMetric.SCORING_ERRORS.key());
    swaps = group.counter(BraidMetric.VERSION_SWAPS.key());
    refused = group.counter(BraidMetric.REFUSED_VERSIONS.key(), new ThreadSafeSimpleCounter());
    Gauge<Integer> version = () -> inService.map(ModelVersion::number).orElse(0);
    group.gauge(BraidMetric.SERVED_VERSION.key(), version);
    Gauge<Double> age = () -> inService.map(ScoringMetrics::age).orElse(Double.NaN);
    group.gauge(BraidMetric.SERVED_VERSION_AGE.key(), age);
  }

  private static double age(ModelVersion version) {
    return (System.currentTimeMillis() - version.published()) / MILLIS;
  }

  /** Counts a record that was scored or refused. Called by the scoring thread. */
  public void scored(RecordScore score) {
    (score.isScored() ? records : errors).inc();
  }

  /** Sets the version in service. Called by the scoring thread. */
  void inService(ModelVersion version) {
    if (inService.isPresent()) {
      swaps.inc();
    }
    inService = Optional.of(version);
  }

  void refused() {
    refused.inc();
  }
}
