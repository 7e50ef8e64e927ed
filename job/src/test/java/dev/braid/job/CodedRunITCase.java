package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.stream.EventSource;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.engine.TrainingJob;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coded training on an embedded Flink: six workers as a (2,2)-tree, of which one below each parent
 * may be late.
 */
class CodedRunITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 6;
  private static final int SAMPLES = 1_210;
  private static final int FEATURES = 3;
  private static final int EPOCHS = 4;
  private static final int BATCH = 10;

  private static final ExchangeOptions TREE =
      ExchangeOptions.defaults(WORKERS)
          .withBatch(BATCH)
          .with(CodedOptions.CHILDREN, 2)
          .with(CodedOptions.STRAGGLERS, 1);

  @TempDir private Path folder;
  private DataLocation data;

  @BeforeEach
  void writeData() throws Exception {
    data = Points.write(folder, SAMPLES, FEATURES);
  }

  /** A thousand times as slow: its gradients would take more time than all rounds of the others. */
  @Test
  void aStragglerThatWandersChangesNoBit_andNoSampleIsLost() throws Exception {
    Run calm = run("calm", TREE, List.of(), new Configuration());
    List<String> digests = calm.chaos().digests();
    calm.checkLedger();
    List<String> events = new ArrayList<>();
    for (int rank = 0; rank < WORKERS; rank++) {
      events.add(event("straggle\",\"factor\":1000,\"target", rank, 10 * rank));
      events.add(event("rejoin\",\"target", rank, 10 * (rank + 1)));
    }
    Run straggling = run("straggling", TREE, events, new Configuration());
    assertThat(straggling.chaos().digests()).isEqualTo(digests);
    assertThat(straggling.chaos().happenings(Outcome.APPLIED)).hasSizeGreaterThan(WORKERS);
    straggling.checkLedger();
  }

  /** Restored from checkpoints that fall while somebody is late. */
  @Test
  void checkpointsWhileAWorkerIsLateChangeNoBit() throws Exception {
    List<String> digests = run("calm", TREE, List.of(), new Configuration()).chaos().digests();
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "10ms");
    settings.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    List<String> events = List.of(event("straggle\",\"factor\":1000,\"target", 4, 3));
    Run saved = run("saved", TREE, events, settings);
    assertThat(saved.chaos().digests()).isEqualTo(digests);
    saved.checkLedger();
  }

  /** Gradients that came too late are in no sum; all replicas are the same none the less. */
  @Test
  void droppedStragglersLeaveReplicasEqual() throws Exception {
    ExchangeOptions options = ExchangeOptions.defaults(WORKERS).withBatch(BATCH);
    Run run =
        run(
            "dropped",
            ExchangeType.DROP_STRAGGLERS,
            options,
            List.of(event("straggle\",\"factor\":1000,\"target", 4, 3)),
            new Configuration());
    assertThat(run.chaos().digests()).hasSize(WORKERS);
  }

  private static String event(String action, int rank, int round) {
    return "{\"version\":1,\"action\":\"%s\":{\"rank\":%d},\"start\":{\"round\":%d}}"
        .formatted(action, rank, round);
  }

  /** A run, and how often which sample was used. */
  private record Run(ChaosRun chaos, CloseableIterator<LedgerSummary> ledger) {

    void checkLedger() {
      ExactLedger.check(ledger, EPOCHS, SAMPLES);
    }
  }

  private Run run(String name, ExchangeOptions options, List<String> events, Configuration settings)
      throws Exception {
    return run(name, ExchangeType.CODED, options, events, settings);
  }

  private Run run(
      String name,
      ExchangeType exchange,
      ExchangeOptions options,
      List<String> events,
      Configuration settings)
      throws Exception {
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("pipeline.generic-types", "false");
    StreamExecutionEnvironment env = FLINK.environment(WORKERS, settings);
    Path out = Files.createDirectories(folder.resolve("out-" + name));
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, SAMPLES, 7, EPOCHS, BATCH),
            new WorkerConfig(
                exchange,
                options,
                4,
                new SoftmaxModel(FEATURES, 2, 0.2f),
                data::openTest,
                StoppingRule.NONE),
            WORKERS,
            events.isEmpty()
                ? Optional.empty()
                : Optional.of(new ChaosConfig(new EventSource.Lines(events), out.toString(), 1)),
            Optional.empty());
    CloseableIterator<Finished> finished = outputs.finished().collectAsync();
    CloseableIterator<LedgerSummary> ledger = Ledger.attach(outputs.usage()).collectAsync();
    return new Run(new ChaosRun(WORKERS, env.executeAsync(), out, finished, ledger), ledger);
  }
}
