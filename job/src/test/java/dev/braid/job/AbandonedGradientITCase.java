package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.network.PartwiseLearner;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.LossSums;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Full batches of a coded exchange in which one worker is late in each round. When the others have
 * the sum, the worker abandons its gradient between two of its parts.
 */
@Timeout(120)
class AbandonedGradientITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 6;
  private static final int STRAGGLER = 4;
  private static final int SAMPLES = 9_000;
  private static final int FEATURES = 3;
  private static final int EPOCHS = 3;

  @TempDir private Path folder;

  @Test
  void aStragglerLeavesOffBetweenTwoParts_andNoBitIsAnother() throws Exception {
    DataLocation data = Points.write(folder, SAMPLES, FEATURES);
    Trained calm = train(data, false);
    assertThat(calm.digests()).hasSize(WORKERS).containsValue(calm.digests().get(0));
    Straggling.COMPUTED.clear();
    Trained straggling = train(data, true);
    assertThat(straggling.digests()).isEqualTo(calm.digests());
    // Losses are of the samples whose gradients were computed, which differ if another worker is
    // late.
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      assertThat(straggling.losses()[epoch])
          .as("mean loss of epoch %d", epoch)
          .isCloseTo(calm.losses()[epoch], within(0.05 * calm.losses()[epoch]));
    }
    // A worker has half of all samples, which are four and a half parts. When it has evaluated an
    // epoch, the next sum may be complete already; it then computes nothing.
    assertThat(Straggling.COMPUTED)
        .as("samples of the straggler's gradients")
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(EPOCHS)
        .allSatisfy(samples -> assertThat(samples).isLessThanOrEqualTo(PartwiseLearner.PART));
  }

  /**
   * Result of a run.
   *
   * @param digests by rank
   * @param losses mean training loss by epoch
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Trained(Map<Integer, String> digests, double[] losses) {}

  private static Trained train(DataLocation data, boolean straggles) throws Exception {
    Configuration settings = new Configuration();
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("pipeline.generic-types", "false");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, settings);
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, SAMPLES, 7, EPOCHS, SampleSource.ALL),
            new WorkerConfig(
                ExchangeType.CODED,
                ExchangeOptions.defaults(WORKERS)
                    .withBatch(SampleSource.ALL)
                    .with(CodedOptions.CHILDREN, 2)
                    .with(CodedOptions.STRAGGLERS, 1),
                4,
                new Straggling(new SoftmaxModel(FEATURES, 2, 0.2f), straggles),
                data::openTest,
                StoppingRule.NONE),
            WORKERS);
    CloseableIterator<Finished> finished = outputs.finished().collectAsync();
    CloseableIterator<Evaluated> evaluated = outputs.evaluated().collectAsync();
    CloseableIterator<LedgerSummary> ledger = Ledger.attach(outputs.usage()).collectAsync();
    env.execute();
    Map<Integer, String> digests = new TreeMap<>();
    finished.forEachRemaining(
        rank -> digests.put(rank.rank(), HexFormat.of().formatHex(rank.digest())));
    ExactLedger.check(ledger, EPOCHS, SAMPLES);
    return new Trained(digests, losses(evaluated));
  }

  private static double[] losses(CloseableIterator<Evaluated> evaluated) {
    double[] sums = new double[EPOCHS];
    long[] samples = new long[EPOCHS];
    evaluated.forEachRemaining(
        rank -> {
          int epoch = rank.epoch();
          EpochSums ofRank = rank.sums();
          sums[epoch] =
              LossSums.plus(sums[epoch], samples[epoch], ofRank.lossSum(), ofRank.samples());
          samples[epoch] += ofRank.samples();
        });
    assertThat(samples).containsOnly(SAMPLES);
    Arrays.setAll(sums, epoch -> sums[epoch] / samples[epoch]);
    return sums;
  }

  /**
   * Model in which the straggler completes a part of a gradient only after the gradient was
   * abandoned.
   */
  private record Straggling(SoftmaxModel model, boolean straggles) implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    /** Number of samples computed, for each of the straggler's gradients. */
    static final Queue<Integer> COMPUTED = new ConcurrentLinkedQueue<>();

    /** Opens when the straggler begins its first gradient. */
    static final CountDownLatch BEGUN = new CountDownLatch(1);

    @Override
    public Learner learner() {
      boolean isStraggler =
          straggles && Thread.currentThread().getName().equals("braid-compute-" + STRAGGLER);
      SlowParts parts = new SlowParts(model.learner());
      Learner whole = new PartwiseLearner(parts);
      if (isStraggler) {
        return new Straggler(whole, parts);
      }
      return straggles ? new Other(whole) : whole;
    }
  }

  /**
   * Learner that waits until the straggler has begun a gradient. Otherwise every sum could be
   * complete before the straggler begins, and the straggler would compute nothing.
   */
  private record Other(Learner learner) implements ForwardingModel.ForwardingLearner {

    @Override
    public Computed gradientWhile(
        BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
      try {
        Straggling.BEGUN.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
      return learner.gradientWhile(isWanted, weights, batch, gradient);
    }
  }

  private record Straggler(Learner learner, SlowParts parts)
      implements ForwardingModel.ForwardingLearner {

    @Override
    public Computed gradientWhile(
        BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
      parts.isWanted = isWanted;
      Straggling.BEGUN.countDown();
      Computed computed = learner.gradientWhile(isWanted, weights, batch, gradient);
      Straggling.COMPUTED.add(computed.samples());
      return computed;
    }
  }

  private static final class SlowParts implements ForwardingModel.ForwardingLearner {
    private final Learner learner;
    private BooleanSupplier isWanted = () -> false;

    SlowParts(Learner learner) {
      this.learner = learner;
    }

    @Override
    public Learner learner() {
      return learner;
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      while (isWanted.getAsBoolean()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      return learner.gradient(weights, batch, gradient);
    }
  }
}
