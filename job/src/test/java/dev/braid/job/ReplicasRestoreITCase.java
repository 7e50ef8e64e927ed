package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.job.options.Checkpoints;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Exchanges resume from checkpoints after a failure. Those whose replicas differ, and those with
 * servers, also resume with other numbers of workers and servers.
 */
class ReplicasRestoreITCase {

  private static final int SAMPLES = 1003;
  private static final int FEATURES = 4;
  private static final int BATCH = 4;

  /** Number of epochs of a run that fails, enough for the part after the failure. */
  private static final int EPOCHS = 4;

  /** Number of epochs of a run that is saved and then cancelled. */
  private static final int MANY_EPOCHS = 100_000;

  /** Number of gradients of all workers before a run fails or is saved. */
  private static final int BEFORE = 2 * SAMPLES / BATCH;

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  @TempDir private Path folder;
  private DataLocation data;

  /** Returns exchanges whose ranks each save their own replica. */
  static Stream<Sharing> withReplicasOfTheirOwn() {
    return Sharing.representatives()
        .filter(sharing -> sharing.type() != ExchangeType.PS)
        .filter(sharing -> !sharing.isSynchronous() || sharing.type() == ExchangeType.AVERAGING);
  }

  static Stream<Sharing> withServers() {
    return Sharing.representatives().filter(sharing -> sharing.type() == ExchangeType.PS);
  }

  static Stream<Consistency> consistencies() {
    return Sharing.firstOf(List.of(Consistency.SSP, Consistency.ASYNC, Consistency.SYNC));
  }

  @BeforeEach
  void writeData() throws Exception {
    data = Points.write(folder, SAMPLES, FEATURES);
    Watched.BEGINNINGS.set(0);
    Watched.GRADIENTS.set(0);
    Watched.MOST_OF_ONE.reset();
    Watched.FAILURES.set(0);
  }

  @ParameterizedTest
  @MethodSource("dev.braid.job.Sharing#representatives")
  void aFailureIsMadeGoodFromTheLastCheckpoint(Sharing exchange) throws Exception {
    Configuration configuration = configuration();
    configuration.setString("execution.checkpointing.interval", "20ms");
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "1");
    configuration.setString("restart-strategy.fixed-delay.delay", "1ms");
    // As in a real run, a checkpoint that meets the end of the job is not a failure.
    configuration.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");

    Job job =
        new Job(exchange, 3, EPOCHS, Optional.of(folder.resolve("checkpoints")), configuration);
    job.env.execute();

    assertThat(Watched.FAILURES.get()).isOne();
    assertThat(Watched.BEGINNINGS.get())
        .as("workers that began again")
        .isEqualTo(3 + exchange.servers());
    job.check(apart(exchange));
  }

  @ParameterizedTest
  @MethodSource("withReplicasOfTheirOwn")
  void aSavepointOfThreeIsRestoredIntoTwoAndIntoFive(Sharing exchange) throws Exception {
    Saved saved = savepointOfThree(exchange);
    for (int workers : new int[] {2, 5}) {
      restore(saved, exchange, workers);
    }
  }

  @ParameterizedTest
  @MethodSource("withServers")
  @Tag("long")
  void aSavepointOfThreeIsRestoredIntoTwoAndIntoFiveWithTheSameServers(Sharing exchange)
      throws Exception {
    aSavepointOfThreeIsRestoredIntoTwoAndIntoFive(exchange);
  }

  /**
   * Restores as many ranks in other roles, as many workers with other servers, and servers at
   * workers.
   */
  @ParameterizedTest
  @MethodSource("consistencies")
  void aSavepointOfThreeAndAServerIsRestoredIntoOtherSplits(Consistency consistency)
      throws Exception {
    Sharing exchange = Sharing.servers(1, consistency);
    Saved saved = savepointOfThree(exchange);
    restore(saved, exchange.withServers(2), 2);
    restore(saved, exchange.withServers(2), 3);
    restore(saved, exchange.withServers(0), 4);
  }

  /** The state would be misinterpreted, and training would continue with wrong values. */
  @Test
  void anotherUpdatersStateIsRefused() throws Exception {
    Sharing exchange = Sharing.servers(1, Consistency.SYNC);
    Saved saved = savepointOfThree(exchange);
    Job job =
        new Job(
            exchange, 3, saved.epochs(), Optional.empty(), configuration(saved), "rmsprop, rate 1");
    assertThatThrownBy(job.env::execute)
        .hasStackTraceContaining("was trained with sgd, rate 1, but this run uses rmsprop, rate 1");
  }

  /** A savepoint, and the number of epochs with which a run resumes from it for a while. */
  private record Saved(String savepoint, int epochs) {}

  private void restore(Saved saved, Sharing exchange, int workers) throws Exception {
    Watched.BEGINNINGS.set(0);
    Job job = new Job(exchange, workers, saved.epochs(), Optional.empty(), configuration(saved));
    job.env.execute();

    assertThat(Watched.BEGINNINGS.get()).as("ranks that began again").isZero();
    job.check(apart(exchange));
  }

  /**
   * Returns the tolerance. Replicas add up the same gradients in another order, or average with few
   * others.
   */
  private static float apart(Sharing exchange) {
    return switch (exchange.type().title()) {
      case "gossip" -> 1;
      case "ps" -> 0;
      default -> 1e-3f;
    };
  }

  private Saved savepointOfThree(Sharing exchange) throws Exception {
    Job job = new Job(exchange, 3, MANY_EPOCHS, Optional.empty(), configuration());
    JobClient client = job.env.executeAsync("to be saved");
    TrainingCluster.await(() -> Watched.GRADIENTS.get() >= BEFORE);
    FLINK.awaitAllTasks(client);
    String savepoint =
        client
            .triggerSavepoint(
                folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
            .get();
    client.cancel().get();
    // Without a bound, one worker may be epochs ahead of the others.
    int begun = Math.toIntExact(Watched.MOST_OF_ONE.get()) * BATCH * 3 / SAMPLES;
    return new Saved(savepoint, begun + 3);
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.setString("pipeline.object-reuse", "true");
    configuration.setString("pipeline.generic-types", "false");
    configuration.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    return configuration;
  }

  private Configuration configuration(Saved saved) {
    Configuration configuration = configuration();
    configuration.setString("execution.state-recovery.path", saved.savepoint());
    configuration.setString("execution.state-recovery.ignore-unclaimed-state", "true");
    return configuration;
  }

  /** A job and its results. */
  private final class Job {
    final StreamExecutionEnvironment env;
    final int workers;
    final int epochs;
    final CloseableIterator<Finished> finished;
    final CloseableIterator<LedgerSummary> ledger;

    /**
     * @param failsAfterCheckpoints folder that must receive two more checkpoints before the job
     *     fails
     */
    Job(
        Sharing exchange,
        int workers,
        int epochs,
        Optional<Path> failsAfterCheckpoints,
        Configuration configuration) {
      this(exchange, workers, epochs, failsAfterCheckpoints, configuration, "sgd, rate 1");
    }

    Job(
        Sharing exchange,
        int workers,
        int epochs,
        Optional<Path> failsAfterCheckpoints,
        Configuration configuration,
        String optimiser) {
      this.workers = workers;
      this.epochs = epochs;
      env = FLINK.environment(workers + exchange.servers(), configuration);
      TrainingJob.Outputs outputs =
          TrainingJob.assemble(
              env,
              new SampleSource(data, SAMPLES, 7, epochs, BATCH, exchange.servers()),
              new WorkerConfig(
                  exchange.type(),
                  exchange.options(workers).withBatch(BATCH),
                  4,
                  new Watched(
                      new SoftmaxModel(FEATURES, 2, 0.2f),
                      failsAfterCheckpoints.map(Path::toString).orElse(Watched.NEVER),
                      optimiser),
                  data::openTest,
                  StoppingRule.NONE),
              workers);
      finished = outputs.finished().collectAsync();
      ledger = Ledger.attach(outputs.usage()).collectAsync();
    }

    /** Checks that every sample was used once in each epoch, and that replicas are close. */
    void check(float apart) {
      // A worker that had ended reports again when it is restored.
      Map<Integer, float[]> replicas = new TreeMap<>();
      finished.forEachRemaining(rank -> replicas.put(rank.rank(), rank.sample()));
      assertThat(replicas).hasSize(workers);
      for (float[] replica : replicas.values()) {
        assertThat(replica).containsExactly(replicas.get(0), within(apart));
      }
      ExactLedger.check(ledger, epochs, SAMPLES);
    }
  }

  /**
   * A model that counts events in this JVM and fails once.
   *
   * @param failsAfter folder of the checkpoints that must exist before it fails, or {@link #NEVER}
   * @param describeOptimiser description of the optimiser
   */
  private record Watched(SoftmaxModel model, String failsAfter, String describeOptimiser)
      implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    static final String NEVER = "";
    static final AtomicInteger BEGINNINGS = new AtomicInteger();
    static final AtomicInteger GRADIENTS = new AtomicInteger();
    static final LongAccumulator MOST_OF_ONE = new LongAccumulator(Math::max, 0);
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public Learner learner() {
      return new WatchedLearner(model.learner(), failsAfter, new AtomicInteger());
    }
  }

  /**
   * @param gradients number of gradients that this learner has computed
   */
  private record WatchedLearner(Learner learner, String failsAfter, AtomicInteger gradients)
      implements ForwardingModel.ForwardingLearner {

    @Override
    public void initialWeights(float[] weights) {
      Watched.BEGINNINGS.incrementAndGet();
      learner.initialWeights(weights);
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      Watched.MOST_OF_ONE.accumulate(gradients.incrementAndGet());
      if (Watched.GRADIENTS.incrementAndGet() == BEFORE && !failsAfter.equals(Watched.NEVER)) {
        awaitTwoCheckpoints(Path.of(failsAfter));
        Watched.FAILURES.incrementAndGet();
        throw new IllegalStateException("fails as the test wants");
      }
      return learner.gradient(weights, batch, gradient);
    }

    /** Waits for a second checkpoint: Flink has then recorded the first one. */
    private static void awaitTwoCheckpoints(Path checkpoints) {
      TrainingCluster.await(() -> Checkpoints.newestBelow(checkpoints).isPresent());
      TrainingCluster.awaitAnotherCheckpoint(checkpoints);
    }
  }
}
