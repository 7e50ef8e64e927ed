package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.stream.EventSource;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.ledger.Ledger;
import dev.braid.ledger.LedgerSummary;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.report.Reports.Evaluated;
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
 * Coded training on an embedded Flink: six workers as a (2,2)-tree, and larger trees, in which one
 * child of each parent may be late.
 */
class CodedRunITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int WORKERS = 6;
  private static final int SAMPLES = 1_210;
  private static final int FEATURES = 3;
  private static final int EPOCHS = 4;
  private static final int BATCH = 10;

  private static final ExchangeOptions TREE = tree(WORKERS, 2);

  @TempDir private Path folder;
  private DataLocation data;

  @BeforeEach
  void writeData() throws Exception {
    data = Points.write(folder, SAMPLES, FEATURES);
  }

  /**
   * The straggler is a thousand times as slow: its gradients would take longer than all rounds of
   * the others.
   */
  @Test
  void aStragglerThatWandersChangesNoBit_andNoSampleIsLost() throws Exception {
    Run calm = run("calm", TREE, List.of(), new Configuration());
    List<String> digests = calm.chaos().digests();
    calm.checkLedger();
    Run straggling = run("straggling", TREE, wandering(WORKERS, 10), new Configuration());
    assertThat(straggling.chaos().digests()).isEqualTo(digests);
    assertThat(straggling.chaos().happenings(Outcome.APPLIED)).hasSizeGreaterThan(WORKERS);
    straggling.checkLedger();
  }

  /** The tree is a (4,2)-tree, whose code is also a repetition. */
  @Test
  void twentyWorkersAndAStragglerThatWanders_changesNoBit() throws Exception {
    ExchangeOptions tree = tree(20, 4);
    List<String> digests = run("calm", tree, List.of(), new Configuration()).chaos().digests();
    Run straggling = run("straggling", tree, wandering(6, 4), new Configuration());
    assertThat(straggling.chaos().digests()).isEqualTo(digests);
    straggling.checkLedger();
  }

  /**
   * The tree is a (3,2)-tree with a cyclic code. All replicas are equal, and close to those without
   * a straggler.
   */
  @Test
  void twelveWorkersWithACyclicCode_agreeWhoeverStraggles() throws Exception {
    ExchangeOptions tree = tree(12, 3);
    assertThat(ExchangeType.CODED.descriptor().isRepeatable(tree)).isFalse();
    List<float[]> calm = run("calm", tree, List.of(), new Configuration()).chaos().weights();
    Run straggling = run("straggling", tree, wandering(8, 5), new Configuration());
    List<float[]> weights = straggling.chaos().weights();
    assertThat(weights).allSatisfy(replica -> assertThat(replica).isEqualTo(weights.get(0)));
    assertThat(weights.get(0)).containsExactly(calm.get(0), within(1e-3f));
    straggling.checkLedger();
  }

  /**
   * Links are cut both ways, below the master and below both of its workers; messages go around
   * them.
   */
  @Test
  void aCutLinkBelowEachParentStopsNoRound_andChangesNoBit() throws Exception {
    List<String> digests = run("calm", TREE, List.of(), new Configuration()).chaos().digests();
    List<String> events = new ArrayList<>();
    for (String link : List.of("0 1", "1 0", "0 2", "2 0", "1 4", "4 1")) {
      events.add("cut " + link + " at-round 5");
    }
    Run cut = run("cut", TREE, events, new Configuration());
    assertThat(cut.chaos().digests()).isEqualTo(digests);
    assertThat(cut.chaos().happenings(Outcome.APPLIED)).hasSizeGreaterThanOrEqualTo(events.size());
    cut.checkLedger();
  }

  /**
   * Returns events that make these workers late one after the other, for a number of rounds each.
   */
  private static List<String> wandering(int workers, int rounds) {
    List<String> events = new ArrayList<>();
    for (int rank = 0; rank < workers; rank++) {
      events.add(event("straggle %d factor 1000", rank, rounds * rank));
      events.add(event("rejoin %d", rank, rounds * (rank + 1)));
    }
    return events;
  }

  private static ExchangeOptions tree(int workers, int children) {
    return ExchangeOptions.defaults(workers)
        .withBatch(BATCH)
        .with(CodedOptions.CHILDREN, children)
        .with(CodedOptions.STRAGGLERS, 1);
  }

  /** Checkpoints are taken while a worker is late. */
  @Test
  void checkpointsWhileAWorkerIsLateChangeNoBit() throws Exception {
    List<String> digests = run("calm", TREE, List.of(), new Configuration()).chaos().digests();
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "10ms");
    settings.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    List<String> events = List.of(event("straggle %d factor 1000", 4, 3));
    Run saved = run("saved", TREE, events, settings);
    assertThat(saved.chaos().digests()).isEqualTo(digests);
    saved.checkLedger();
  }

  /** Gradients that are too late are in no sum; all replicas are nevertheless equal. */
  @Test
  void droppedStragglersLeaveReplicasEqual() throws Exception {
    ExchangeOptions options = ExchangeOptions.defaults(WORKERS).withBatch(BATCH);
    Run run =
        run(
            "dropped",
            ExchangeType.DROP_STRAGGLERS,
            options,
            List.of(event("straggle %d factor 1000", 4, 3)),
            new Configuration());
    assertThat(run.chaos().digests()).hasSize(WORKERS);
  }

  /** The root computes no gradients and is not a worker; sums are the same. */
  @Test
  void aRootOfItsOwnChangesNoBit() throws Exception {
    List<String> digests = run("calm", TREE, List.of(), new Configuration()).chaos().digests();
    ExchangeOptions dedicated = TREE.with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED);
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "10ms");
    settings.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    Run run = run("dedicated", dedicated, wandering(WORKERS, 10), settings);
    assertThat(run.chaos().digests()).isEqualTo(digests);
    run.checkLedger();
  }

  /**
   * Both workers below the master are slow: the first tree waits for one of them, and another tree
   * does not. Checkpoints fall in between. Sums equal those of any other tree except for rounding.
   */
  @Test
  void anotherTreeIsChosenAfterAnEpoch_andNoSampleIsLost() throws Exception {
    List<float[]> calm = run("calm", TREE, List.of(), new Configuration()).chaos().weights();
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "10ms");
    settings.setString(
        "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    List<String> events =
        List.of(event("straggle %d factor 1000", 0, 0), event("straggle %d factor 1000", 1, 0));
    ExchangeOptions planned = TREE.with(CodedOptions.PLAN, CodedOptions.Plan.AUTO);
    Run run = run("planned", planned, events, settings);
    List<float[]> weights = run.chaos().weights();
    assertThat(weights).allSatisfy(replica -> assertThat(replica).isEqualTo(weights.get(0)));
    assertThat(weights.get(0)).containsExactly(calm.get(0), within(1e-3f));
    run.checkLedger();
    List<FigureValues> figures = new ArrayList<>();
    run.evaluated().forEachRemaining(it -> figures.add(it.sums().figures()));
    assertThat(figures)
        .hasSize(WORKERS * EPOCHS)
        .allMatch(epoch -> epoch.get(Figure.TREE_CHILDREN) > 0)
        .anyMatch(
            epoch ->
                epoch.get(Figure.TREE_CHILDREN) == 2
                    && epoch.get(Figure.TREE_STRAGGLERS) == 1
                    && Double.isNaN(epoch.get(Figure.PLANNED_TIME))
                    && Double.isNaN(epoch.get(Figure.PLANNED_TIME_BEFORE)))
        .anyMatch(epoch -> epoch.get(Figure.TREE_STRAGGLERS) > 1);
  }

  private static String event(String action, int rank, int round) {
    return (action + " at-round %d").formatted(rank, round);
  }

  /** A run and its record of used samples. */
  private record Run(
      ChaosRun chaos,
      CloseableIterator<LedgerSummary> ledger,
      CloseableIterator<Evaluated> evaluated) {

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
    int servers = options.dedicatedServers();
    StreamExecutionEnvironment env = FLINK.environment(options.workers() + servers, settings);
    Path out = Files.createDirectories(folder.resolve("out-" + name));
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env,
            new SampleSource(data, SAMPLES, 7, EPOCHS, BATCH, servers),
            new WorkerConfig(
                exchange,
                options,
                4,
                new SoftmaxModel(FEATURES, 2, 0.2f),
                data::openTest,
                StoppingRule.NONE),
            options.workers(),
            events.isEmpty()
                ? Optional.empty()
                : Optional.of(new ChaosConfig(new EventSource.Lines(events), out.toString(), 1)),
            Optional.empty());
    CloseableIterator<Finished> finished = outputs.finished().collectAsync();
    CloseableIterator<LedgerSummary> ledger = Ledger.attach(outputs.usage()).collectAsync();
    CloseableIterator<Evaluated> evaluated = outputs.evaluated().collectAsync();
    return new Run(
        new ChaosRun(options.workers(), env.executeAsync(), out, finished, ledger),
        ledger,
        evaluated);
  }
}
