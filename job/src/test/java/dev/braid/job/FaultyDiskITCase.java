package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.FaultyDisk.Condition;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.train.FailureText;
import dev.braid.ledger.Ledger;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.report.ModelFormat;
import dev.braid.run.report.Report;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.report.ResultsNotWrittenException;
import dev.braid.run.report.RunExchange;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.Status;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Training whose results go to a full or unresponsive disk. */
class FaultyDiskITCase {

  private static final int WORKERS = 2;
  private static final int SAMPLES = 40;
  private static final int BATCH = 4;
  private static final int EPOCHS = 5;
  private static final int GRADIENTS_OF_AN_EPOCH = SAMPLES / WORKERS / BATCH;
  private static final long ALL = Long.MAX_VALUE;
  private static final String NO_SPACE = " cannot be written: No space left on device";

  private static TrainingCluster cluster;

  @TempDir private static Path folder;
  private Path out;
  private Path checkpoints;
  private GatedModel.Gate gate;
  private String name;

  /** Format that writes a model as text. */
  private record Format() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "none";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream to)
        throws IOException {
      to.write(("a model of " + steps + " steps").getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new TrainingCluster(new Configuration(), 1, WORKERS);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < SAMPLES; i++) {
      rows.append(i % 7).append(',').append(i % 5).append(',').append(i % 2).append('\n');
    }
    Files.writeString(folder.resolve("points.csv"), rows);
    Files.writeString(folder.resolve("points.test.csv"), rows);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void prepare(TestInfo info) {
    name = info.getTestMethod().orElseThrow().getName();
    out = folder.resolve(name);
    checkpoints = folder.resolve(name + "-checkpoints");
    gate = GatedModel.gate(name);
    FaultyDisk.is(Condition.SOUND);
  }

  @Test
  void full_trainingGoesOn_andTheHistoryIsWrittenWhenThereIsRoom() throws Exception {
    JobClient job = begin();
    FaultyDisk.is(Condition.FULL);
    trainUntil(job, 3);
    // The best model may be the first file that cannot be written.
    TrainingCluster.await(() -> troubles(job).contains(historyPath() + NO_SPACE));
    assertThat(history().evaluations()).hasSize(1);
    FaultyDisk.is(Condition.SOUND);

    checkEnd(job);
  }

  @Test
  void silent_trainingAndCheckpointsGoOn_andTheHistoryIsWrittenWhenTheDiskAnswers()
      throws Exception {
    JobClient job = begin();
    FaultyDisk.is(Condition.SILENT);
    trainUntil(job, 3);
    Optional<Path> checkpoint = Checkpoints.newestBelow(checkpoints);
    trainUntil(job, 4);
    TrainingCluster.await(() -> !Checkpoints.newestBelow(checkpoints).equals(checkpoint));
    assertThat(history().evaluations()).hasSize(1);
    FaultyDisk.is(Condition.SOUND);

    checkEnd(job);
  }

  @Test
  void fullAtTheEnd_theResultsAreElsewhere_andTheLastCheckpointIsKept() throws Exception {
    JobClient job = begin();
    FaultyDisk.is(Condition.FULL);
    gate.letPass(ALL);

    ExecutionException failure =
        catchThrowableOfType(ExecutionException.class, () -> TrainingCluster.end(job));
    ResultsNotWrittenException told = ResultsNotWrittenException.in(failure).orElseThrow();
    Status status = told.status().orElseThrow();
    Outcome outcome = status.outcome().orElseThrow();
    Path elsewhere = Path.of(outcome.model()).getParent();
    assertThat(status.troubles())
        .singleElement()
        .asString()
        .startsWith(
            FaultyDisk.uri(out) + "/model.zip" + NO_SPACE + "; " + historyPath() + NO_SPACE + "; ")
        .endsWith("; the results are in " + elsewhere + " instead");
    assertThat(told).hasMessage(status.troubles().get(0));
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(Path.of(outcome.model())).hasContent("a model of 25 steps");
    RunHistory kept = RunHistory.read(Path.of(outcome.history()));
    assertThat(kept.evaluations()).hasSize(EPOCHS);
    assertThat(kept.outcome()).hasValue(outcome);
    Files.delete(Path.of(outcome.model()));
    Files.delete(Path.of(outcome.history()));
    assertThat(elsewhere.resolve("model.json")).hasContent("{}");
    Files.delete(elsewhere.resolve("model.json"));
    assertThat(elsewhere.resolve("summary.json")).content().contains(outcome.digest());
    Files.delete(elsewhere.resolve("summary.json"));
    Files.delete(elsewhere.resolve("run.yaml"));
    assertThat(Path.of(outcome.best().orElseThrow().model())).hasContent("a model of 0 steps");
    Files.delete(Path.of(outcome.best().orElseThrow().model()));
    Files.delete(elsewhere);
    assertThat(history().outcome()).isEmpty();
    assertThat(out.resolve("model.zip")).doesNotExist();
    assertThat(Checkpoints.newestBelow(checkpoints)).isPresent();
  }

  @Test
  void fullAtTheBeginning_theJobFailsBeforeItTrains() throws Exception {
    FaultyDisk.is(Condition.FULL);
    JobClient job = submit();

    ExecutionException failure =
        catchThrowableOfType(ExecutionException.class, () -> TrainingCluster.end(job));
    ResultsNotWrittenException told = ResultsNotWrittenException.in(failure).orElseThrow();
    assertThat(told).hasMessage(historyPath() + NO_SPACE);
    assertThat(told.status()).isEmpty();
    assertThat(gate.most()).isZero();
    assertThat(FailureText.of(failure))
        .isEqualTo(historyPath() + NO_SPACE + "; no model was saved");
  }

  /** Submits a job and waits until its first epoch is complete and a checkpoint exists. */
  private JobClient begin() throws Exception {
    JobClient job = submit();
    trainUntil(job, 1);
    TrainingCluster.await(
        () -> hasAnEvaluation() && Checkpoints.newestBelow(checkpoints).isPresent());
    return job;
  }

  /**
   * Returns whether the history has one evaluation. On such a disk, there is no file for a moment
   * whenever the history is replaced.
   */
  private boolean hasAnEvaluation() {
    try {
      return history().evaluations().size() == 1;
    } catch (InvalidHistoryException e) {
      return false;
    }
  }

  private void trainUntil(JobClient job, int epochs) {
    gate.letPass((long) epochs * GRADIENTS_OF_AN_EPOCH);
    TrainingCluster.await(() -> TrainingCluster.epochs(job) == epochs);
  }

  private void checkEnd(JobClient job) throws Exception {
    gate.letPass(ALL);
    Status end = TrainingCluster.end(job);
    assertThat(end.troubles()).isEmpty();
    assertThat(history().evaluations())
        .extracting(Evaluation::epoch)
        .containsExactly(1, 2, 3, 4, EPOCHS);
    assertThat(history().outcome()).isEqualTo(end.outcome()).isPresent();
    assertThat(out.resolve("model.zip")).hasContent("a model of 25 steps");
    try (var files = Files.list(out)) {
      assertThat(files)
          .map(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder(
              "history.jsonl", "model.json", "model.zip", "best.zip", "summary.json", "run.yaml");
    }
  }

  private String historyPath() {
    return FaultyDisk.uri(out) + "/history.jsonl";
  }

  private RunHistory history() {
    return RunHistory.read(out.resolve("history.jsonl"));
  }

  private static String troubles(JobClient job) {
    return String.join("; ", TrainingCluster.status(job).orElseThrow().troubles());
  }

  private JobClient submit() throws Exception {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(PipelineOptions.GENERIC_TYPES, false);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(20));
    settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    settings.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
    env.setParallelism(WORKERS);
    DataLocation data = DataLocation.of(folder.resolve("points.csv").toString()).withClasses(2);
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, SAMPLES, 7, EPOCHS, BATCH),
            new WorkerConfig(
                ExchangeType.RING,
                ExchangeOptions.defaults(WORKERS).withBatch(BATCH),
                4,
                new GatedModel(new SoftmaxModel(2, 2, 0.2f), name),
                data::openTest,
                StoppingRule.NONE),
            WORKERS);
    Report.attach(
        outputs,
        Ledger.attach(outputs.usage()),
        new ReportConfig(
            new ReportConfig.Texts("{}", "workers: 2\n", "{}"),
            new ReportConfig.Folder(FaultyDisk.uri(out), 0, false),
            new ReportConfig.Samples(SAMPLES, "", EPOCHS, List.of(), EvaluatedSet.TEST),
            new ReportConfig.Reference(Double.NaN, new float[0][]),
            new ReportConfig.Sameness(true, false),
            new Format(),
            new RunExchange(ExchangeType.RING, ExchangeOptions.defaults(1), 1),
            List.of()),
        WORKERS);
    return cluster.submit(env.getStreamGraph().getJobGraph());
  }
}
