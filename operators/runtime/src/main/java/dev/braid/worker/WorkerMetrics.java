package dev.braid.worker;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.RecordAges;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** A worker's metrics in Flink's metric system. Reporters read them from other threads. */
final class WorkerMetrics {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter samples;
  private final Counter sentAgain;
  private final RecordAges ages = new RecordAges();

  private volatile long round;
  private volatile int epoch = 1;
  private volatile double loss;
  private volatile double testAccuracy;
  private volatile double testR2 = Double.NaN;
  private volatile long pauseNanos;
  private volatile int members;
  private volatile boolean isIn = true;

  /** Figures of the exchange when they were last read. */
  private volatile FigureValues now = new FigureValues();

  /** Figures of the last round. */
  private volatile FigureValues ofRound = new FigureValues();

  /** Figures of the last round with a compressed gradient. */
  private volatile FigureValues ofGradient = new FigureValues();

  /** Figures of the exchange at a rank without rounds; reused, since it is read per message. */
  private final FigureValues reading = new FigureValues();

  WorkerMetrics(MetricGroup parent, int ranks) {
    members = ranks;
    MetricGroup group = parent.addGroup(BraidMetric.GROUP);
    samples = group.counter(BraidMetric.SAMPLES.key());
    sentAgain = group.counter(BraidMetric.SENT_AGAIN.key());
    group.gauge(BraidMetric.ROUND.key(), (Gauge<Long>) () -> round);
    group.gauge(BraidMetric.EPOCH.key(), (Gauge<Integer>) () -> epoch);
    group.gauge(BraidMetric.LOSS.key(), (Gauge<Double>) () -> loss);
    group.gauge(BraidMetric.TEST_ACCURACY.key(), (Gauge<Double>) () -> testAccuracy);
    group.gauge(BraidMetric.TEST_R2.key(), (Gauge<Double>) () -> testR2);
    group.gauge(BraidMetric.RECORD_AGE_MEDIAN.key(), (Gauge<Double>) () -> age(0.5));
    group.gauge(BraidMetric.RECORD_AGE_P99.key(), (Gauge<Double>) () -> age(0.99));
    group.gauge(BraidMetric.CHECKPOINT_PAUSE.key(), (Gauge<Double>) () -> seconds(pauseNanos));
    group.gauge(BraidMetric.MEMBERS.key(), (Gauge<Integer>) () -> members);
    group.gauge(BraidMetric.IS_MEMBER.key(), (Gauge<Integer>) () -> isIn ? 1 : 0);
    for (Figure figure : Figure.ALL) {
      figure
          .metric()
          .ifPresent(
              metric ->
                  group.gauge(
                      metric.key(), (Gauge<Number>) () -> value(figure, metric.isCounter())));
    }
  }

  private Number value(Figure figure, boolean isCounter) {
    FigureValues from =
        isCounter ? now : figure.per() == Figure.Per.GRADIENT ? ofGradient : ofRound;
    double value = figure.shown(from.get(figure));
    if (figure.isWhole()) {
      return (long) value;
    }
    return value;
  }

  /** Updates the figures of a rank that only serves, if it has new sums. */
  void serves(Measured exchange) {
    reading.clear();
    exchange.addFigures(reading);
    if (reading.get(Figure.SUMS) > now.get(Figure.SUMS)) {
      FigureValues read = new FigureValues(reading.values());
      update(read, read.since(now));
    }
  }

  private void update(FigureValues read, FigureValues more) {
    now = read;
    ofRound = more;
    if (more.get(Figure.GRADIENTS) == 1) {
      ofGradient = more;
    }
  }

  /**
   * Updates the metrics at the end of a round.
   *
   * @param read figures of the exchange
   */
  void roundDone(CompletedRound done, FigureValues read) {
    update(read, done.figures(now, read));
    Batch batch = done.batch();
    round = done.round() + 1;
    epoch = batch.epoch() + 1;
    int used = batch.usedIds().length;
    batch.origin().ifPresent(it -> ages.add(it.timestampsMillis(), System.currentTimeMillis()));
    if (used > 0) {
      loss = Double.isNaN(done.lossSum()) ? loss : done.lossSum() / used;
      samples.inc(used);
    }
  }

  void evaluated(Learner.Score score) {
    testAccuracy = score.accuracy();
    testR2 = score.errors().r2();
  }

  void sendsAgain() {
    sentAgain.inc();
  }

  void paused(long nanos) {
    pauseNanos = nanos;
  }

  void entered(int size, boolean isInIt) {
    members = size;
    isIn = isInIt;
  }

  private double age(double share) {
    return ages.quantile(share, System.currentTimeMillis());
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
