package dev.braid.worker;

import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.DecodingUse;
import dev.braid.exchange.RelayUse;
import dev.braid.exchange.Staleness;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.DecodingSums;
import dev.braid.worker.report.MetricNames;
import dev.braid.worker.report.RoundTimes;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** A worker's figures, in Flink's metric system. Reporters read them from other threads. */
final class WorkerMetrics {

  private static final double NANOS_PER_MILLI = 1e6;

  private final Counter samples;
  private final Counter sentAgain;

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

  /** Of the gradients since the one before. */
  private volatile CompressionUse lastCompression = CompressionUse.NONE;

  private volatile RelayUse relay = RelayUse.NONE;

  WorkerMetrics(MetricGroup parent, int ranks) {
    members = ranks;
    MetricGroup group = parent.addGroup(MetricNames.GROUP);
    samples = group.counter(MetricNames.SAMPLES);
    sentAgain = group.counter(MetricNames.SENT_AGAIN);
    group.gauge(MetricNames.ROUND, (Gauge<Long>) () -> round);
    group.gauge(MetricNames.EPOCH, (Gauge<Integer>) () -> epoch);
    group.gauge(MetricNames.LOSS, (Gauge<Double>) () -> loss);
    group.gauge(MetricNames.TEST_ACCURACY, (Gauge<Double>) () -> testAccuracy);
    group.gauge(MetricNames.TEST_R2, (Gauge<Double>) () -> testR2);
    group.gauge(MetricNames.GRADIENT_MILLIS, (Gauge<Double>) () -> millis(times.gradient()));
    group.gauge(MetricNames.EXCHANGE_MILLIS, (Gauge<Double>) () -> millis(times.exchange()));
    group.gauge(MetricNames.WAIT_MILLIS, (Gauge<Double>) () -> millis(times.waiting()));
    group.gauge(MetricNames.STALENESS, (Gauge<Double>) () -> staleness.mean());
    group.gauge(MetricNames.CHECKPOINT_PAUSE_MILLIS, (Gauge<Double>) () -> millis(pauseNanos));
    group.gauge(MetricNames.MEMBERS, (Gauge<Integer>) () -> members);
    group.gauge(MetricNames.IS_MEMBER, (Gauge<Integer>) () -> isIn ? 1 : 0);
    group.gauge(MetricNames.PARTITIONS, (Gauge<Integer>) () -> use.partitions());
    group.gauge(MetricNames.GRADIENT_RATE, (Gauge<Double>) () -> use.gradientsPerSecond());
    group.gauge(MetricNames.BANDWIDTH, (Gauge<Double>) () -> use.bytesPerSecond());
    group.gauge(MetricNames.KEPT_VECTORS, (Gauge<Integer>) () -> keptVectors);
    group.gauge(MetricNames.STRAGGLERS, (Gauge<Long>) () -> decoded.stragglers());
    group.gauge(MetricNames.LATE_MESSAGES, (Gauge<Long>) () -> decoding.lateMessages());
    group.gauge(MetricNames.DECODED_SETS, (Gauge<Integer>) () -> decoding.decodedSets());
    group.gauge(MetricNames.SUM_MILLIS, (Gauge<Double>) () -> millis(decoded.sumNanos()));
    group.gauge(MetricNames.ANSWER_WAIT_MILLIS, (Gauge<Double>) () -> millis(answerWaitNanos));
    group.gauge(MetricNames.DENSITY, (Gauge<Double>) () -> lastCompression.density());
    group.gauge(MetricNames.THRESHOLD, (Gauge<Double>) () -> lastCompression.tau());
    group.gauge(MetricNames.RESIDUAL_NORM, (Gauge<Double>) () -> lastCompression.residualNorm());
    group.gauge(MetricNames.PLAIN_GRADIENT_BYTES, (Gauge<Long>) () -> compression.plainBytes());
    group.gauge(MetricNames.SENT_GRADIENT_BYTES, (Gauge<Long>) () -> compression.sentBytes());
    group.gauge(MetricNames.RELAYED_UPDATES, (Gauge<Long>) () -> relay.relayed());
    group.gauge(MetricNames.DUPLICATE_UPDATES, (Gauge<Long>) () -> relay.duplicates());
  }

  /** What the exchange makes of the network now. */
  void uses(BandwidthUse now) {
    use = now;
  }

  /** What the exchange has made of answers, at the end of a round. */
  void decodes(DecodingUse now) {
    decoded = DecodingSums.since(decoding, now);
    answerWaitNanos = now.waitNanos() - decoding.waitNanos();
    decoding = now;
  }

  /** The same, at any time. */
  void decodesMore(DecodingUse now) {
    if (now.sums() > decoding.sums()) {
      decodes(now);
    }
  }

  /** How many vectors the exchange keeps now. */
  void keeps(int vectors) {
    keptVectors = vectors;
  }

  /** What has become of others' updates. */
  void relays(RelayUse now) {
    relay = now;
  }

  /** What compression has made of gradients. */
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

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
