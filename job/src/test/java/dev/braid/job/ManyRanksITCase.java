package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.engine.NetworkMemory;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More ranks than a word has bits, and than Flink's checkpoints of a few ranks allow by default.
 * The TaskManagers have only as much network memory as Braid computes.
 */
class ManyRanksITCase {

  private static final int FEW = 4;
  private static final int MANY = 100;
  private static final int TASK_MANAGERS = 2;
  private static final int SAMPLES = 600;
  private static final int TIMEOUT_SECONDS = 60;

  @TempDir private Path folder;

  private TrainingCluster cluster;

  @BeforeEach
  void start() throws Exception {
    Points.write(folder, SAMPLES, 2);
    NetworkMemory need = new NetworkMemory(MANY, false);
    int slots = MANY / TASK_MANAGERS;
    MemorySize network = need.size(slots, need.segment());
    Configuration settings = new Configuration();
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, need.segment());
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    cluster = new TrainingCluster(settings, TASK_MANAGERS, slots);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void whatFewHaveSaved_manyGoOnFrom_andFewAgain() throws Exception {
    String ofFew = savedAfterAnEpoch(submit(FEW, "few"));
    String ofMany = savedAfterAnEpoch(submit(MANY, "many", "--restore=" + ofFew));

    // Any accuracy suffices, so the run ends with the next epoch.
    JobClient last = submit(FEW, "last", "--restore=" + ofMany, "--target-accuracy=0.01");

    Outcome outcome = TrainingCluster.end(last).outcome().orElseThrow();
    assertThat(outcome.ranks()).isEqualTo(FEW).isEqualTo(outcome.identical());
    assertThat(outcome.ledger()).contains("every one of 600 samples used exactly once");
    RunHistory history = RunHistory.read(folder.resolve("many/history.jsonl"));
    assertThat(history.head().workers()).isEqualTo(MANY);
  }

  @Test
  @Tag("long")
  void aTreeOfManyEndsWithOneModel() throws Exception {
    Outcome outcome =
        TrainingCluster.end(submit(MANY, "tree", "--exchange=ft-tree", "--epochs=2"))
            .outcome()
            .orElseThrow();
    assertThat(outcome.ranks()).isEqualTo(MANY).isEqualTo(outcome.identical());
    assertThat(outcome.ledger()).contains("exactly once in each of 2 epochs");
  }

  private JobClient submit(int workers, String name, String... more) throws Exception {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--workers=" + workers,
                "--data=" + folder.resolve("points.csv"),
                "--checkpoint-dir=" + folder.resolve("checkpoints"),
                "--model=logistic",
                "--batch=3",
                "--epochs=100000",
                "--checkpoint-interval=1h",
                "--out=" + folder.resolve(name)));
    for (String option : more) {
      options.removeIf(it -> it.split("=", 2)[0].equals(option.split("=", 2)[0]));
    }
    Collections.addAll(options, more);
    String[] words = options.toArray(String[]::new);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(words));
    return cluster.submit(TrainingGraph.of(env, words).getJobGraph());
  }

  /** Waits until the job has completed another epoch, takes a savepoint and cancels the job. */
  private String savedAfterAnEpoch(JobClient job) throws Exception {
    TrainingCluster.await(() -> cluster.allTasksRun(job));
    int before = TrainingCluster.epochs(job);
    TrainingCluster.await(() -> TrainingCluster.epochs(job) > before);
    String place =
        job.triggerSavepoint(folder.resolve("savepoints").toString(), SavepointFormatType.CANONICAL)
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    job.cancel().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    TrainingCluster.await(() -> job.getJobStatus().join() == JobStatus.CANCELED);
    return place;
  }
}
