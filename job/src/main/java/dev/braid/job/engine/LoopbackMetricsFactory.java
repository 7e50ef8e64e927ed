package dev.braid.job.engine;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Factory by which Flink finds the reporter that {@link FlinkSettings#addMetrics} configures. */
public final class LoopbackMetricsFactory implements MetricReporterFactory {

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return new LoopbackMetrics();
  }
}
