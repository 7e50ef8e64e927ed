package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.options.Checkpoints;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that runs with fewer workers than it was built for, because its graph was changed before
 * submission. It runs with still fewer when Flink's adaptive scheduler continues without a lost
 * TaskManager.
 */
class RescaledRunITCase {

  private static final int ASKED = 4;
  private static final int BEGUN = 3;
  private static final int EPOCHS = 60;
  private static final int SAMPLES = 600;

  /**
   * Number of epochs after which the learning rate is practically 0, with any number of workers.
   */
  private static final int LEARNING_EPOCHS = 57;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void asksForFour_beginsWithThree_losesOne_andEndsWithFewer() throws Exception {
    Points.write(folder, SAMPLES, 2);
    Path out = folder.resolve("out");
    Path checkpoints = folder.resolve("checkpoints");
    Path events =
        Files.write(
            folder.resolve("events.txt"),
            List.of("straggle 2 factor 1.5", "straggle 3 factor 1.5"));
    String[] options = {
      "--workers=" + ASKED,
      "--data=" + folder.resolve("points.csv"),
      "--model=logistic",
      "--batch=4",
      "--epochs=" + EPOCHS,
      "--updater=sgd",
      "--schedule=step:" + LEARNING_EPOCHS + ":1e-30",
      "--checkpoint-interval=50ms",
      "--checkpoint-dir=" + checkpoints,
      // Rounds of several milliseconds: the run must not end before the loss.
      "--links=1ms",
      "--chaos-file=" + events,
      "--out=" + out
    };
    try (TrainingCluster cluster = new TrainingCluster(TrainingCluster.adaptive(3), BEGUN, 1)) {
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
      JobGraph graph = TrainingGraph.of(env, options).getJobGraph();
      for (JobVertex vertex : graph.getVertices()) {
        if (vertex.getParallelism() == ASKED) {
          vertex.setParallelism(BEGUN);
        }
      }
      JobClient job = cluster.submit(graph);
      TrainingCluster.await(
          () ->
              TrainingCluster.epochs(job) >= 2 && Checkpoints.newestBelow(checkpoints).isPresent());
      assertThat(TrainingCluster.epochs(job)).as("epochs before the loss").isLessThan(EPOCHS);
      cluster.loseTaskManager();

      Outcome outcome = TrainingCluster.end(job).outcome().orElseThrow();
      // The scheduler may start with fewer workers than are left, because it does not wait for all.
      assertThat(outcome.ranks()).isBetween(1, BEGUN - 1).isEqualTo(outcome.identical());
      assertThat(outcome.ledger()).contains("every one of 600 samples used exactly once");
      assertThat(outcome.epochs()).isEqualTo(EPOCHS);
    }
    RunHistory history = RunHistory.read(out.resolve("history.jsonl"));
    assertThat(history.outcome()).isPresent();
    assertThat(history.head().workers()).isEqualTo(history.outcome().orElseThrow().ranks());
    assertThat(history.evaluations())
        .extracting(Evaluation::epoch)
        .doesNotHaveDuplicates()
        .hasSize(EPOCHS);
    assertThat(history.evaluations()).extracting(Evaluation::samples).containsOnly((long) SAMPLES);
    assertThat(lastEpochThatLearnt(history)).isBetween(LEARNING_EPOCHS - 1, LEARNING_EPOCHS + 1);
    assertThat(out.resolve("model.zip")).isNotEmptyFile();
    assertThat(out.resolve("chaos-applied.jsonl")).content().contains("line/1");
    assertThat(out.resolve("chaos-dead-letters.jsonl")).content().contains("line/2", "rank 3");
  }

  /** No sample is used twice in an epoch or omitted. */
  @Test
  void losesOne_goesOnWithFewer_andWithAllWhenItIsBack() throws Exception {
    Points.write(folder, SAMPLES, 2);
    Path out = folder.resolve("out");
    String[] options = {
      "--workers=" + BEGUN,
      "--data=" + folder.resolve("points.csv"),
      "--model=logistic",
      "--batch=4",
      "--epochs=100000",
      "--checkpoint-interval=50ms",
      "--checkpoint-dir=" + folder.resolve("checkpoints"),
      "--out=" + out
    };
    Configuration settings = TrainingCluster.adaptive(3);
    TrainingCluster.rescalesSoon(settings);
    int epochs;
    try (TrainingCluster cluster = new TrainingCluster(settings, BEGUN, 1)) {
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
      JobClient job = cluster.submit(TrainingGraph.of(env, options).getJobGraph());
      TrainingCluster.awaitEpoch(job, 1, BEGUN, BEGUN);
      cluster.loseTaskManager();
      int before = TrainingCluster.awaitEpoch(job, 2, 1, BEGUN - 1);
      cluster.addTaskManager();
      epochs = TrainingCluster.awaitEpoch(job, before + 1, BEGUN, BEGUN);
      job.cancel().get();
      TrainingCluster.await(() -> job.getJobStatus().join() == JobStatus.CANCELED);
    }
    RunHistory history = RunHistory.read(out.resolve("history.jsonl"));
    assertThat(history.evaluations())
        .hasSizeGreaterThanOrEqualTo(epochs)
        .extracting(Evaluation::epoch)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, history.evaluations().size()).boxed().toList());
    assertThat(history.evaluations()).extracting(Evaluation::samples).containsOnly((long) SAMPLES);
  }

  /**
   * Returns the last epoch that changed the model. If workers were lost in the middle of an epoch,
   * the first step of the next one may count.
   */
  private static int lastEpochThatLearnt(RunHistory history) {
    List<Evaluation> epochs = history.evaluations();
    double end = epochs.get(epochs.size() - 1).testLoss();
    return epochs.stream()
            .filter(epoch -> epoch.testLoss() != end)
            .mapToInt(Evaluation::epoch)
            .max()
            .orElse(0)
        + 1;
  }
}
