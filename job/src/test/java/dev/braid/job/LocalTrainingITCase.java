package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.random.Permutation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.EpochSteps;
import dev.braid.run.training.TrainedModel;
import dev.braid.run.training.TrainingJob;
import dev.braid.vector.Range;
import dev.braid.worker.LocalTraining;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparison of a job with training in one thread on the same batches. */
class LocalTrainingITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 3;
  private static final int EPOCHS = 2;
  private static final int FEATURES = 6;

  /**
   * Number of samples. Shares have 40 and 41, so the last batches of an epoch have one sample or
   * none.
   */
  private static final int SAMPLES = 121;

  private static final int BATCH = 8;
  private static final long SEED = 7;
  private static final int CHUNK = 500;

  @TempDir private Path folder;
  private DataLocation data;

  @BeforeEach
  void writeData() throws Exception {
    data = Points.write(folder, SAMPLES, FEATURES);
  }

  static Stream<Sharing> exchanges() {
    return Stream.of(
        Sharing.of(ExchangeType.RING),
        Sharing.of(ExchangeType.FT_TREE),
        Sharing.of(ExchangeType.RING).compressing("threshold:20%"),
        Sharing.servers(1, Consistency.SYNC));
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  void aJobAndOneThread_endWithTheSameBits(Sharing exchange) throws Exception {
    WorkerConfig config = config(exchange);

    Set<String> digests = runJob(config);

    assertThat(digests).hasSize(1);
    try (LocalTraining training = LocalTraining.begin(config, WORKERS)) {
      Samples samples = data.openTrain();
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        train(training, samples, epoch);
      }
      assertThat(digests).containsExactly(HexFormat.of().formatHex(training.digest()));
    }
  }

  private WorkerConfig config(Sharing exchange) throws Exception {
    DataLocation.Contents contents = data.check();
    assertThat(contents.train().samples()).isEqualTo(SAMPLES);
    UpdaterSpec momentum = UpdaterSpec.of("momentum", OptionalDouble.empty());
    return new WorkerConfig(
        exchange.type(),
        exchange.options(WORKERS).withBatch(BATCH),
        CHUNK,
        new TrainedModel(
            ModelSpec.untried("mlp", contents.shape(), SEED),
            contents.shape(),
            Optimiser.of(momentum),
            new EpochSteps(SAMPLES, BATCH, 0, false),
            MathChoice.PORTABLE),
        data::openTest,
        StoppingRule.NONE);
  }

  /** Runs the job, and returns the digests of the workers' models. */
  private Set<String> runJob(WorkerConfig config) throws Exception {
    Configuration settings = new Configuration();
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("pipeline.generic-types", "false");
    int servers = config.options().dedicatedServers();
    StreamExecutionEnvironment env = FLINK.environment(WORKERS + servers, settings);
    SampleSource source = new SampleSource(data, SAMPLES, SEED, EPOCHS, BATCH, servers);
    CloseableIterator<Finished> finished =
        TrainingJob.assemble(env, source, config, WORKERS).finished().collectAsync();
    env.execute();
    Set<String> digests = new TreeSet<>();
    finished.forEachRemaining(rank -> digests.add(HexFormat.of().formatHex(rank.digest())));
    return digests;
  }

  private static void train(LocalTraining training, Samples samples, int epoch) {
    int[] order = Permutation.of(SAMPLES, SEED, epoch);
    int longest = (SAMPLES + WORKERS - 1) / WORKERS;
    int rounds = (longest + BATCH - 1) / BATCH;
    for (int round = 0; round < rounds; round++) {
      boolean isLast = round == rounds - 1;
      int start = round * BATCH;
      List<Batch> batches =
          IntStream.range(0, WORKERS)
              .mapToObj(worker -> samples.batch(epoch, ids(order, worker, start), isLast))
              .toList();
      training.round(batches);
    }
  }

  /** Returns the ids of the samples of one batch, from a position in a worker's share on. */
  private static int[] ids(int[] order, int worker, int start) {
    Range share = Range.ofLength(SAMPLES).part(worker, WORKERS);
    int from = Math.min(share.end(), share.start() + start);
    return Arrays.copyOfRange(order, from, Math.min(share.end(), from + BATCH));
  }
}
