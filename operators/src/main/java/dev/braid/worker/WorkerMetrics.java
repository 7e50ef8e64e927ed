package dev.braid.worker;

import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.DecodingUse;
import dev.braid.exchange.RelayUse;
import dev.braid.exchange.Staleness;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.DecodingSums;
import dev.braid.worker.report.RecordAges;
import dev.braid.worker.report.RoundTimes;
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
  private volatile RoundTimes times = new RoundTimes(0, 0, 0);
  private volatile Staleness staleness = Staleness.NONE;
  private volatile long pauseNanos;
  private volatile int members;
  private volatile boolean isIn = true;
  private volatile BandwidthUse use = new BandwidthUse(0, 0, 0, 0);
  private volatile int keptVectors;
  private volatile DecodingUse decoding = DecodingUse.NONE;
  private volatile DecodingSums decoded = DecodingSums.NONE;
  private volatile long answerWaitNanos;
  private volatile CompressionUse compression = CompressionUse.NONE;

  /** Compression of the last gradient. */
  private volatile CompressionUse lastCompression = CompressionUse.NONE;

  private volatile RelayUse relay = RelayUse.NONE;

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
    group.gauge(BraidMetric.GRADIENT_TIME.key(), (Gauge<Double>) () -> seconds(times.gradient()));
    group.gauge(BraidMetric.EXCHANGE_TIME.key(), (Gauge<Double>) () -> seconds(times.exchange()));
    group.gauge(BraidMetric.RECORD_AGE_MEDIAN.key(), (Gauge<Double>) () -> age(0.5));
    group.gauge(BraidMetric.RECORD_AGE_P99.key(), (Gauge<Double>) () -> age(0.99));
    group.gauge(BraidMetric.WAIT_TIME.key(), (Gauge<Double>) () -> seconds(times.waiting()));
    group.gauge(BraidMetric.STALENESS.key(), (Gauge<Double>) () -> staleness.mean());
    group.gauge(BraidMetric.CHECKPOINT_PAUSE.key(), (Gauge<Double>) () -> seconds(pauseNanos));
    group.gauge(BraidMetric.MEMBERS.key(), (Gauge<Integer>) () -> members);
    group.gauge(BraidMetric.IS_MEMBER.key(), (Gauge<Integer>) () -> isIn ? 1 : 0);
    group.gauge(BraidMetric.PARTITIONS.key(), (Gauge<Integer>) () -> use.partitions());
    group.gauge(BraidMetric.GRADIENT_RATE.key(), (Gauge<Double>) () -> use.gradientsPerSecond());
    group.gauge(BraidMetric.BANDWIDTH.key(), (Gauge<Double>) () -> use.bytesPerSecond());
    group.gauge(BraidMetric.KEPT_VECTORS.key(), (Gauge<Integer>) () -> keptVectors);
    group.gauge(BraidMetric.STRAGGLERS.key(), (Gauge<Long>) () -> decoded.stragglers());
    group.gauge(BraidMetric.LATE_MESSAGES.key(), (Gauge<Long>) () -> decoding.lateMessages());
    group.gauge(BraidMetric.DECODED_SETS.key(), (Gauge<Integer>) () -> decoding.decodedSets());
    group.gauge(BraidMetric.SUM_TIME.key(), (Gauge<Double>) () -> seconds(decoded.sumNanos()));
    group.gauge(BraidMetric.ANSWER_WAIT.key(), (Gauge<Double>) () -> seconds(answerWaitNanos));
    group.gauge(BraidMetric.DENSITY.key(), (Gauge<Double>) () -> lastCompression.density());
    group.gauge(BraidMetric.THRESHOLD.key(), (Gauge<Double>) () -> lastCompression.tau());
    group.gauge(
        BraidMetric.RESIDUAL_NORM.key(), (Gauge<Double>) () -> lastCompression.residualNorm());
    group.gauge(
        BraidMetric.PLAIN_GRADIENT_BYTES.key(), (Gauge<Long>) () -> compression.plainBytes());
    group.gauge(BraidMetric.SENT_GRADIENT_BYTES.key(), (Gauge<Long>) () -> compression.sentBytes());
    group.gauge(BraidMetric.RELAYED_UPDATES.key(), (Gauge<Long>) () -> relay.relayed());
    group.gauge(BraidMetric.DUPLICATE_UPDATES.key(), (Gauge<Long>) () -> relay.duplicates());
  }

  /** Updates the bandwidth use of the exchange. */
  void uses(BandwidthUse now) {
    use = now;
  }

  /** Updates the use of answers at the end of a round. */
  void decodes(DecodingUse now) {
    decoded = DecodingSums.since(decoding, now);
    answerWaitNanos = now.waitNanos() - decoding.waitNanos();
    decoding = now;
  }

  /** Updates the use of answers at any time, if there are new sums. */
  void decodesMore(DecodingUse now) {
    if (now.sums() > decoding.sums()) {
      decodes(now);
    }
  }

  /** Updates the number of vectors that the exchange keeps. */
  void keeps(int vectors) {
    keptVectors = vectors;
  }

  /** Updates the counts of relayed and duplicate updates. */
  void relays(RelayUse now) {
    relay = now;
  }

  /** Updates the results of compression. */
  void compresses(CompressionUse now) {
    CompressionUse more = now.since(compression);
    compression = now;
    if (more.gradients() == 1) {
      lastCompression = more;
    }
  }

  void roundDone(CompletedRound done) {
    Batch batch = done.batch();
    round = done.round() + 1;
    epoch = batch.epoch() + 1;
    times = done.times();
    staleness = done.staleness();
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
