package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that resume under another exchange than the one that their savepoint was made with. Each
 * exchange is the old one in one pair and the new one in another; all pairs are tested without
 * Flink.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AnotherExchangeITCase {

  private static final int SAMPLES = 203;
  private static final int FEATURES = 4;
  private static final int EPOCHS = 3;
  private static final int BATCH = 4;
  private static final int WORKERS = 3;

  /**
   * Batches before the savepoint. An epoch has 17, so some workers are in the first epoch and some
   * in the second.
   */
  private static final int BATCHES_BEFORE = 16;

  /**
   * Largest distance between the exchanges of a pair, so that synchronous ones follow asynchronous
   * ones and the other way round.
   */
  private static final int MAX_SHIFT = 5;

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  @TempDir private Path folder;
  private DataLocation data;

  static Stream<Arguments> pairs() {
    List<Sharing> all = Sharing.representatives().toList();
    int shift = Math.min(MAX_SHIFT, all.size() / 2);
    return IntStream.range(0, all.size())
        .mapToObj(i -> Arguments.of(all.get(i), all.get((i + shift) % all.size())));
  }

  @BeforeEach
  void writeData() throws Exception {
    data = Points.write(folder, SAMPLES, FEATURES);
  }

  /** Opens the gate, because the compute threads of a failed job would not end otherwise. */
  @AfterEach
  void openGate() {
    Gate.open();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void goesOnWithAsManyWorkersAndWithFewer(Sharing before, Sharing after) throws Exception {
    Gate.reset();
    String savepoint = savepoint(before);
    for (int workers : new int[] {WORKERS, WORKERS - 1}) {
      Configuration configuration = new Configuration();
      configuration.setString("execution.state-recovery.path", savepoint);
      configuration.setString("execution.state-recovery.ignore-unclaimed-state", "true");
      Job job = new Job(after, workers, 0, configuration);
      job.env.execute();
      job.check();
    }
    assertThat(Gate.beginnings())
        .as("ranks that began again")
        .isEqualTo(WORKERS + before.servers());
  }

  /** Returns a savepoint; its workers are at different batches if the exchange permits that. */
  private String savepoint(Sharing exchange) throws Exception {
    // By default, sharing lets no worker be two batches ahead.
    boolean isBound = exchange.isSynchronous() || exchange.type() == ExchangeType.SHARING;
    boolean inStep = isBound && exchange.type() != ExchangeType.AVERAGING;
    Job job = new Job(exchange, WORKERS, inStep ? 0 : 1, new Configuration());
    JobClient client = job.env.executeAsync("to be saved");
    Gate.awaitWaiting(WORKERS);
    String savepoint = savepointOf(client);
    client.cancel().get();
    // This lets the compute threads end, and the job with them.
    Gate.open();
    assertThat(client.getJobExecutionResult()).failsWithin(Duration.ofMinutes(1));
    return savepoint;
  }

  private String savepointOf(JobClient client) throws Exception {
    String savepoints = folder.resolve("savepoints").toUri().toString();
    while (true) {
      try {
        return client.triggerSavepoint(savepoints, SavepointFormatType.CANONICAL).get();
      } catch (ExecutionException e) {
        // Tasks after the workers may not run yet; a job that has ended reports so in its result.
        assertThat(client.getJobStatus().get().isGloballyTerminalState()).isFalse();
      }
    }
  }

  /** A job and its results. */
  private final class Job {
    final Sharing exchange;
    final int workers;
    final StreamExecutionEnvironment env;
    final CloseableIterator<Finished> finished;
    final CloseableIterator<LedgerSummary> ledger;

    /**
     * @param apart number of batches by which each worker is ahead of the one before when all are
     *     stopped
     */
    Job(Sharing exchange, int workers, int apart, Configuration configuration) {
      this.exchange = exchange;
      this.workers = workers;
      configuration.setString("pipeline.object-reuse", "true");
      configuration.setString("pipeline.generic-types", "false");
      configuration.setString("restart-strategy.type", "none");
      env = FLINK.environment(workers + exchange.servers(), configuration);
      TrainingJob.Outputs outputs =
          TrainingJob.assemble(
              env,
              new SampleSource(data, SAMPLES, 7, EPOCHS, BATCH, exchange.servers()),
              new WorkerConfig(
                  exchange.type(),
                  exchange.options(workers).withBatch(BATCH),
                  4,
                  new Gated(new SoftmaxModel(FEATURES, 2, 0.2f), apart),
                  data::openTest,
                  StoppingRule.NONE),
              workers);
      finished = outputs.finished().collectAsync();
      ledger = Ledger.attach(outputs.usage()).collectAsync();
    }

    /**
     * Checks that every sample was used once in each epoch, and that replicas are equal if the
     * exchange guarantees that.
     */
    void check() {
      Map<Integer, float[]> replicas = new TreeMap<>();
      finished.forEachRemaining(rank -> replicas.put(rank.rank(), rank.sample()));
      assertThat(replicas).hasSize(workers);
      boolean same = exchange.isSynchronous() || exchange.type() == ExchangeType.PS;
      float apart = same ? 0 : exchange.type() == ExchangeType.GOSSIP ? 1 : 1e-3f;
      for (float[] replica : replicas.values()) {
        assertThat(replica).containsExactly(replicas.get(0), within(apart));
      }
      ExactLedger.check(ledger, EPOCHS, SAMPLES);
    }
  }

  /** Gate that stops all workers in the middle of the run, each at its own batch. */
  private static final class Gate {
    private static final Map<Learner, Integer> LIMITS = new HashMap<>();
    private static int begun;
    private static int waiting;
    private static boolean open;

    private Gate() {}

    static synchronized void reset() {
      LIMITS.clear();
      begun = 0;
      waiting = 0;
      open = false;
    }

    static synchronized void open() {
      open = true;
      Gate.class.notifyAll();
    }

    static synchronized void begin() {
      begun++;
    }

    static synchronized int beginnings() {
      return begun;
    }

    static synchronized void awaitWaiting(int workers) throws InterruptedException {
      while (waiting < workers) {
        Gate.class.wait();
      }
    }

    /** Counts down; a worker whose count is 0 waits until it is interrupted. */
    static synchronized void pass(Learner learner, int apart) {
      if (open) {
        return;
      }
      int left = LIMITS.computeIfAbsent(learner, key -> BATCHES_BEFORE + apart * LIMITS.size());
      LIMITS.put(learner, left - 1);
      if (left > 0) {
        return;
      }
      waiting++;
      Gate.class.notifyAll();
      try {
        while (!open) {
          Gate.class.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private record Gated(SoftmaxModel model, int apart) implements ForwardingModel {

    private static final long serialVersionUID = 1L;

    @Override
    public Learner learner() {
      return new GatedLearner(model.learner(), apart);
    }
  }

  private record GatedLearner(Learner learner, int apart)
      implements ForwardingModel.ForwardingLearner {

    @Override
    public void initialWeights(float[] weights) {
      Gate.begin();
      learner.initialWeights(weights);
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      Gate.pass(learner, apart);
      return learner.gradient(weights, batch, gradient);
    }
  }
}
