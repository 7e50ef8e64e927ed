package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.Usage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The dataflow of training on an embedded Flink, with a small model. */
class TrainingJobITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int SAMPLES = 1003;
  private static final int TESTS = 200;
  private static final int FEATURES = 8;
  private static final int EPOCHS = 4;
  private static final SoftmaxModel MODEL = new SoftmaxModel(FEATURES, 3, 0.5f);

  @TempDir private Path folder;
  private DataLocation data;

  @BeforeEach
  void writeData() throws Exception {
    Files.writeString(folder.resolve("points.csv"), rows(SAMPLES, 1));
    Files.writeString(folder.resolve("points.test.csv"), rows(TESTS, 2));
    data = DataLocation.of(folder.resolve("points.csv").toString()).withClasses(3);
  }

  /**
   * Returns rows of points; the class of a point is the index of the largest of its first three
   * coordinates.
   */
  private static String rows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double[] x = random.doubles(FEATURES, -1, 1).toArray();
      int label = x[0] > x[1] ? (x[0] > x[2] ? 0 : 2) : (x[1] > x[2] ? 1 : 2);
      for (double value : x) {
        rows.append((float) value).append(',');
      }
      rows.append(label).append('\n');
    }
    return rows.toString();
  }

  static Stream<Sharing> synchronous() {
    return Sharing.representatives().filter(Sharing::isSynchronous);
  }

  static Stream<Sharing> asynchronous() {
    return Sharing.representatives().filter(sharing -> !sharing.isSynchronous());
  }

  @ParameterizedTest
  @MethodSource("asynchronous")
  void replicasStayTogetherAndLearn_amongCheckpoints(Sharing exchange) throws Exception {
    replicasStayTogetherAndLearn(exchange, checkpointing());
  }

  @ParameterizedTest
  @MethodSource("asynchronous")
  @Tag("long")
  void replicasStayTogetherAndLearn_withoutCheckpoints(Sharing exchange) throws Exception {
    replicasStayTogetherAndLearn(exchange, new Configuration());
  }

  private void replicasStayTogetherAndLearn(Sharing exchange, Configuration configuration)
      throws Exception {
    Run run = run(exchange, 4, configuration);
    assertThat(run.digests).hasSize(4);
    assertThat(run.accuracy(EPOCHS - 1)).isGreaterThan(0.85);
    // Each worker evaluates its replica on the whole test set; servers do not.
    assertThat(run.evaluatedAlone).containsOnly((long) TESTS).hasSize(4);
    // Replicas add up the same gradients in another order, or average with few others.
    float apart = exchange.type() == ExchangeType.GOSSIP ? 0.3f : 1e-4f;
    if (exchange.type() == ExchangeType.PS) {
      assertThat(run.digests).containsOnly(run.digests.get(0));
    } else {
      assertThat(run.correctAlone.get(0))
          .as("of the model that is saved")
          .isEqualTo(correct(run.model));
    }
    for (float[] replica : run.weights) {
      assertThat(replica).containsExactly(run.weights.get(0), within(apart));
    }
  }

  @ParameterizedTest
  @MethodSource("synchronous")
  void replicasAgreeAndLearn_andGiveTheSameBitsAgainAmongCheckpoints(Sharing exchange)
      throws Exception {
    Run calm = run(exchange, 4, new Configuration());
    Run checkpointed = run(exchange, 4, checkpointing());

    assertThat(calm.digests).hasSize(4).containsOnly(calm.digests.get(0));
    assertThat(checkpointed.digests).isEqualTo(calm.digests);
    assertThat(calm.accuracy(EPOCHS - 1)).isGreaterThan(0.85);
    assertThat(calm.evaluatedAlone)
        .as("evaluations of single replicas, which are identical")
        .containsOnly(0L);
  }

  /** A server adds up in the order of the workers, whatever its range is. */
  @Test
  void synchronousServers_giveTheSameBitsHoweverManyTheyAre() throws Exception {
    Run atTheWorkers = run(Sharing.servers(0, Consistency.SYNC), 3, new Configuration());
    Run two = run(Sharing.servers(2, Consistency.SYNC), 3, new Configuration());

    assertThat(two.digests).isEqualTo(atTheWorkers.digests);
  }

  /** Sums have the same order, whichever route messages take. */
  @Test
  void faultTolerantTree_givesTheBitsOfTheTree() throws Exception {
    Run tree = run(Sharing.of(ExchangeType.TREE), 4, new Configuration());
    Run faultTolerant = run(Sharing.of(ExchangeType.FT_TREE), 4, new Configuration());

    assertThat(faultTolerant.digests).isEqualTo(tree.digests);
  }

  /** The mesh has two rows of four: rings of rows and of columns. */
  @Test
  void aMeshOfEight_givesTheSameBitsAgainAmongCheckpoints() throws Exception {
    Run calm = run(Sharing.of(ExchangeType.MESH), 8, new Configuration());
    Run checkpointed = run(Sharing.of(ExchangeType.MESH), 8, checkpointing());

    assertThat(calm.digests).hasSize(8).containsOnly(calm.digests.get(0));
    assertThat(checkpointed.digests).isEqualTo(calm.digests);
  }

  @ParameterizedTest
  @MethodSource("synchronous")
  @Tag("long")
  void threeWorkersGiveTheSameBitsAgainAmongCheckpoints(Sharing exchange) throws Exception {
    Run calm = run(exchange, 3, new Configuration());
    Run checkpointed = run(exchange, 3, checkpointing());

    assertThat(checkpointed.digests).isEqualTo(calm.digests);
  }

  static Stream<Sharing> compressed() {
    return Sharing.firstOf(
        List.of(
            Sharing.of(ExchangeType.RING).compressing("threshold:20%"),
            Sharing.of(ExchangeType.TREE).compressing("bf16"),
            Sharing.of(ExchangeType.RING).compressing("fp16"),
            Sharing.servers(1, Consistency.SYNC).compressing("top-k:0.3")));
  }

  /** Checkpoints also contain residuals. */
  @ParameterizedTest
  @MethodSource("compressed")
  void compressedGradientsLearn_andCheckpointsChangeNothing(Sharing exchange) throws Exception {
    Run calm = run(exchange, 3, new Configuration());
    Run checkpointed = run(exchange, 3, checkpointing());

    assertThat(calm.digests).containsOnly(calm.digests.get(0));
    assertThat(checkpointed.digests).isEqualTo(calm.digests);
    assertThat(calm.accuracy(EPOCHS - 1)).isGreaterThan(0.85);
  }

  static Stream<Sharing> compressedAtEachWorkersPace() {
    return Sharing.firstOf(List.of(Sharing.of(ExchangeType.AKO), Sharing.of(ExchangeType.SHARING)));
  }

  @ParameterizedTest
  @MethodSource("compressedAtEachWorkersPace")
  void compressedGradientsLearnAtEachWorkersPace(Sharing exchange) throws Exception {
    Run run = run(exchange.compressing("threshold:20%"), 3, checkpointing());
    assertThat(run.accuracy(EPOCHS - 1)).isGreaterThan(0.85);
  }

  private Configuration checkpointing() {
    Configuration often = new Configuration();
    often.setString("execution.checkpointing.interval", "20ms");
    often.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    // As in a real run, a checkpoint that meets the end of the job is not a failure.
    often.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
    return often;
  }

  private static final class Run {
    final List<String> digests = new ArrayList<>();
    final List<float[]> weights = new ArrayList<>();
    final List<Evaluated> evaluations = new ArrayList<>();
    final List<Long> evaluatedAlone = new ArrayList<>();
    final List<Long> correctAlone = new ArrayList<>();
    final AtomicInteger usages = new AtomicInteger();

    float[] model = {};

    double accuracy(int epoch) {
      long samples = 0;
      long correct = 0;
      for (Evaluated evaluated : evaluations) {
        if (evaluated.epoch() == epoch) {
          samples += evaluated.sums().test().samples();
          correct += evaluated.sums().test().correct();
        }
      }
      assertThat(samples).isEqualTo(TESTS);
      return (double) correct / samples;
    }
  }

  private Run run(Sharing exchange, int workers, Configuration configuration) throws Exception {
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("pipeline.generic-types", "false");
    StreamExecutionEnvironment env = FLINK.environment(workers + exchange.servers(), configuration);
    DataLocation.Contents contents = data.check();
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, contents.train().samples(), 7, EPOCHS, 20, exchange.servers()),
            new WorkerConfig(
                exchange.type(),
                exchange.options(workers).withBatch(20),
                16,
                MODEL,
                data::openTest,
                StoppingRule.NONE),
            workers);
    CloseableIterator<Finished> finished = collect(outputs.finished());
    CloseableIterator<Evaluated> evaluated = collect(outputs.evaluated());
    CloseableIterator<ModelPart> parts = collect(outputs.model());
    CloseableIterator<Usage> usages = collect(outputs.usage());
    env.execute();
    Run run = new Run();
    // A worker that had ended reports again when it is restored.
    Map<Integer, Finished> byRank = new TreeMap<>();
    finished.forEachRemaining(rank -> byRank.put(rank.rank(), rank));
    for (Finished rank : byRank.values()) {
      run.digests.add(HexFormat.of().formatHex(rank.digest()));
      run.weights.add(rank.sample());
      run.evaluatedAlone.add(rank.replica().samples());
      run.correctAlone.add(rank.replica().correct());
    }
    float[] model = new float[run.weights.get(0).length];
    run.model = model;
    parts.forEachRemaining(
        part -> System.arraycopy(part.values(), 0, model, part.start(), part.values().length));
    assertThat(digest(model)).as("of the model that is saved").isEqualTo(run.digests.get(0));
    evaluated.forEachRemaining(run.evaluations::add);
    usages.forEachRemaining(u -> run.usages.addAndGet(u.sampleIds().length));
    assertThat(run.usages.get()).isEqualTo(SAMPLES * EPOCHS);
    return run;
  }

  /** Returns the number of test samples that a model classifies correctly. */
  private long correct(float[] weights) throws Exception {
    int[] ids = IntStream.range(0, TESTS).toArray();
    return MODEL.learner().evaluate(weights, data.openTest().batch(0, ids, false)).correct();
  }

  private static String digest(float[] weights) throws NoSuchAlgorithmException {
    ByteBuffer bytes =
        ByteBuffer.allocate(weights.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
  }

  private static <T> CloseableIterator<T> collect(DataStream<T> stream) {
    return stream.collectAsync();
  }
}
