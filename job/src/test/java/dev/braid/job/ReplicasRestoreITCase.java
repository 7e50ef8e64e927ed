package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.SampleSource;
import dev.braid.exchange.ExchangeOptions.Consistency;
import dev.braid.exchange.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.Reports.Finished;
import dev.braid.worker.WorkerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Exchanges whose replicas differ, and those with servers, go on from checkpoints, at the same and
 * at other numbers of workers and servers.
 */
class ReplicasRestoreITCase {

  private static final int SAMPLES = 1003;
  private static final int FEATURES = 4;
  private static final int EPOCHS = 30;
  private static final int BATCH = 4;

  @TempDir private Path folder;
  private DataLocation data;

  /** Those whose replicas are saved one by one, or only by those who serve them. */
  static Stream<Sharing> withReplicasOfTheirOwn() {
    return Sharing.all()
        .filter(
            sharing ->
                !sharing.isSynchronous()
                    || sharing.type() == ExchangeType.AVERAGING
                    || sharing.type() == ExchangeType.PS);
  }

  @BeforeEach
  void writeData() throws Exception {
    Files.writeString(folder.resolve("points.csv"), rows(SAMPLES, 1));
    Files.writeString(folder.resolve("points.test.csv"), rows(50, 2));
    data = DataLocation.of(folder.resolve("points.csv").toString()).withClasses(2);
    Watched.BEGINNINGS.set(0);
    Watched.GRADIENTS.set(0);
  }

  private static String rows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double[] x = random.doubles(FEATURES, -1, 1).toArray();
      for (double value : x) {
        rows.append((float) value).append(',');
      }
      rows.append(x[0] > x[1] ? 0 : 1).append('\n');
    }
    return rows.toString();
  }

  @ParameterizedTest
  @MethodSource("withReplicasOfTheirOwn")
  void aFailureIsMadeGoodFromTheLastCheckpoint(Sharing exchange) throws Exception {
    Configuration configuration = configuration();
    configuration.setString("execution.checkpointing.interval", "20ms");
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "1");
    configuration.setString("restart-strategy.fixed-delay.delay", "1ms");
    int half = EPOCHS * SAMPLES / BATCH / 2;

    Job job = new Job(exchange, 3, half, configuration);
    job.env.execute();

    assertThat(Watched.GRADIENTS.get()).isGreaterThan(half);
    assertThat(Watched.BEGINNINGS.get())
        .as("workers that began anew")
        .isEqualTo(3 + exchange.servers());
    job.check(apart(exchange));
  }

  @ParameterizedTest
  @MethodSource("withReplicasOfTheirOwn")
  void aSavepointOfThreeIsRestoredIntoTwoAndIntoFive(Sharing exchange) throws Exception {
    String savepoint = savepointOfThree(exchange);
    for (int workers : new int[] {2, 5}) {
      restore(savepoint, exchange, workers);
    }
  }

  /** As many ranks in other roles, as many workers with other servers, and servers at workers. */
  @ParameterizedTest
  @EnumSource
  void aSavepointOfThreeAndAServerIsRestoredIntoOtherSplits(Consistency consistency)
      throws Exception {
    Sharing exchange = Sharing.servers(1, consistency);
    String savepoint = savepointOfThree(exchange);
    restore(savepoint, exchange.withServers(2), 2);
    restore(savepoint, exchange.withServers(2), 3);
    restore(savepoint, exchange.withServers(0), 4);
  }

  private void restore(String savepoint, Sharing exchange, int workers) throws Exception {
    Watched.BEGINNINGS.set(0);
    Configuration configuration = configuration();
    configuration.setString("execution.state-recovery.path", savepoint);
    configuration.setString("execution.state-recovery.ignore-unclaimed-state", "true");
    Job job = new Job(exchange, workers, Watched.NEVER, configuration);
    job.env.execute();

    assertThat(Watched.BEGINNINGS.get()).as("ranks that began anew").isZero();
    job.check(apart(exchange));
  }

  /** Each has added up the same gradients, in another order; or taken means with few others. */
  private static float apart(Sharing exchange) {
    return switch (exchange.type()) {
      case GOSSIP -> 1;
      case PS -> 0;
      default -> 1e-3f;
    };
  }

  private String savepointOfThree(Sharing exchange) throws Exception {
    JobClient client =
        new Job(exchange, 3, Watched.NEVER, configuration()).env.executeAsync("to be saved");
    String folderUri = folder.resolve("savepoints").toUri().toString();
    while (true) {
      try {
        String path = client.triggerSavepoint(folderUri, SavepointFormatType.CANONICAL).get();
        client.cancel().get();
        return path;
      } catch (ExecutionException e) {
        // Not all tasks run yet; a job that is over says so by its result.
        assertThat(client.getJobStatus().get().isGloballyTerminalState()).isFalse();
      }
    }
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("pipeline.generic-types", "false");
    configuration.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    return configuration;
  }

  /** A job, and what comes out of it. */
  private final class Job {
    final StreamExecutionEnvironment env;
    final int workers;
    final CloseableIterator<Finished> finished;
    final CloseableIterator<LedgerSummary> ledger;

    Job(Sharing exchange, int workers, int failsAt, Configuration configuration) {
      this.workers = workers;
      env =
          StreamExecutionEnvironment.createLocalEnvironment(
              workers + exchange.servers(), configuration);
      TrainingJob.Outputs outputs =
          TrainingJob.assemble(
              env,
              new SampleSource(data, SAMPLES, 7, EPOCHS, BATCH, exchange.servers()),
              new WorkerConfig(
                  exchange.type(),
                  exchange.options(workers).withBatch(BATCH),
                  4,
                  new Watched(new SoftmaxModel(FEATURES, 2, 0.2f), failsAt),
                  data::openTest,
                  Double.NaN),
              workers);
      finished = outputs.finished().collectAsync();
      ledger = Ledger.attach(outputs.usage()).collectAsync();
    }

    /** Every sample once in each epoch, and replicas that are not far apart. */
    void check(float apart) {
      // A worker that has ended, and is restored, says so again.
      Map<Integer, float[]> replicas = new TreeMap<>();
      finished.forEachRemaining(rank -> replicas.put(rank.rank(), rank.sample()));
      assertThat(replicas).hasSize(workers);
      for (float[] replica : replicas.values()) {
        assertThat(replica).containsExactly(replicas.get(0), within(apart));
      }
      ExactLedger.check(ledger, EPOCHS, SAMPLES);
    }
  }

  /** A model that counts in this JVM, and fails once. */
  private record Watched(SoftmaxModel model, int failsAt) implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    static final int NEVER = -1;
    static final AtomicInteger BEGINNINGS = new AtomicInteger();
    static final AtomicInteger GRADIENTS = new AtomicInteger();

    @Override
    public Learner learner() {
      return new WatchedLearner(model.learner(), failsAt);
    }
  }

  private record WatchedLearner(Learner learner, int failsAt)
      implements ForwardingModel.ForwardingLearner {

    @Override
    public void initialWeights(float[] weights) {
      Watched.BEGINNINGS.incrementAndGet();
      learner.initialWeights(weights);
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      if (Watched.GRADIENTS.incrementAndGet() == failsAt) {
        throw new IllegalStateException("fails as the test wants");
      }
      return learner.gradient(weights, batch, gradient);
    }
  }
}
