package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {

  private final Map<String, Gauge<?>> gauges = new HashMap<>();
  private final WorkerMetrics metrics = new WorkerMetrics(new Group(), 3);

  private final class Group extends UnregisteredMetricsGroup {

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    @Override
    public MetricGroup addGroup(String name) {
      return this;
    }
  }

  /** Returns the figures of an exchange that has decoded sums. */
  private static FigureValues decoded(
      long stragglers, long late, int sets, long sums, long sumNanos, long waitNanos) {
    FigureValues values = new FigureValues();
    values.add(Figure.STRAGGLERS, stragglers);
    values.add(Figure.LATE_MESSAGES, late);
    values.add(Figure.DECODED_SETS, sets);
    values.add(Figure.SUMS, sums);
    values.add(Figure.SUM_TIME, sumNanos);
    values.add(Figure.ANSWER_WAIT, waitNanos);
    return values;
  }

  private void serves(FigureValues values) {
    metrics.serves(
        new Measured() {
          @Override
          public void addFigures(FigureValues to) {
            to.add(values);
          }
        });
  }

  @Test
  void whatIsToldOfSumsIsOfTheLastRound_andOfSetsAndLateAnswersOfAll() {
    serves(decoded(2, 3, 1, 1, 4_000_000, 7_000_000));
    serves(decoded(3, 5, 2, 2, 6_000_000, 107_000_000));
    assertThat(value(Figure.STRAGGLERS)).isEqualTo(1L);
    assertThat(value(Figure.LATE_MESSAGES)).isEqualTo(5L);
    assertThat(value(Figure.DECODED_SETS)).isEqualTo(2L);
    assertThat(value(Figure.SUM_TIME)).isEqualTo(0.002);
    assertThat(value(Figure.ANSWER_WAIT)).isEqualTo(0.1);
  }

  /** Applies to a master that is a rank of its own: no value becomes 0 between two rounds. */
  @Test
  void whoHasNoRoundsTellsWhatIsNew() {
    FigureValues first = decoded(2, 3, 1, 1, 4_000_000, 7_000_000);
    serves(first);
    serves(first);
    assertThat(value(Figure.STRAGGLERS)).isEqualTo(2L);
    assertThat(value(Figure.ANSWER_WAIT)).isEqualTo(0.007);
    serves(decoded(2, 3, 1, 2, 5_000_000, 7_000_000));
    assertThat(value(Figure.STRAGGLERS)).isEqualTo(0L);
    assertThat(value(Figure.SUM_TIME)).isEqualTo(0.001);
  }

  private Object value(Figure figure) {
    return gauges.get(figure.metric().orElseThrow().key()).getValue();
  }
}
