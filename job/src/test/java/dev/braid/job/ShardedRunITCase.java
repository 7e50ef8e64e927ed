package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring or mesh whose workers each take the optimiser's step for a shard, with an optimiser that
 * keeps two vectors. The bits are those of a run without shards, and each kind of run restores the
 * checkpoints of the other, with any number of workers.
 */
class ShardedRunITCase {

  private static final int SLOTS = 4;
  private static final int SAMPLES = 601;
  private static final int TIMEOUT_SECONDS = 60;
  private static final int MANY_EPOCHS = 100_000;

  /** Number of epochs after a savepoint, more than its job completes between two reports. */
  private static final int MORE_EPOCHS = 10;

  private static final String SHARDED = "--exchange=ring:sharded=on";

  @TempDir private Path folder;

  private TrainingCluster cluster;
  private int jobs;

  @BeforeEach
  void start() throws Exception {
    Points.write(folder, SAMPLES, 7);
    cluster = new TrainingCluster(new Configuration(), 1, SLOTS);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void shardsMakeTheBitsOfTheWhole_alsoUnderCheckpoints() throws Exception {
    String whole = digest(3, 6);
    assertThat(digest(3, 6, SHARDED)).isEqualTo(whole);
    assertThat(digest(3, 6, SHARDED, "--checkpoint-interval=10ms")).isEqualTo(whole);
    String ofTwo = digest(2, 6);
    assertThat(digest(2, 6, SHARDED)).isEqualTo(ofTwo);
  }

  @Test
  void aCheckpointIsReadWithAndWithoutShards_byAnyNumberOfWorkers() throws Exception {
    Saved sharded = saved(SHARDED);
    int epochs = sharded.epochs();
    String undisturbed = digest(3, epochs);
    assertThat(digest(3, epochs, SHARDED, "--restore=" + sharded.place())).isEqualTo(undisturbed);
    assertThat(digest(3, epochs, "--restore=" + sharded.place())).isEqualTo(undisturbed);
    assertThat(digest(2, epochs, SHARDED, "--restore=" + sharded.place()))
        .isEqualTo(digest(2, epochs, "--restore=" + sharded.place()));

    Saved whole = saved();
    int later = whole.epochs();
    assertThat(digest(3, later, SHARDED, "--restore=" + whole.place())).isEqualTo(digest(3, later));
  }

  /**
   * Restores with the same number of workers and with others, with and without copies of each
   * worker's own state.
   */
  @Test
  void aMeshInShardsIsRestoredByAnyNumberOfWorkers_withAndWithoutCopies() throws Exception {
    for (int copies = 0; copies <= 1; copies++) {
      String mesh = "--exchange=mesh:algorithm=nd";
      String before = mesh + ",sharded=on,copies=" + copies;
      String after = mesh + ",sharded=on,copies=" + (1 - copies);
      Saved saved = saved(4, before);
      int epochs = saved.epochs();
      String undisturbed = digest(4, epochs, mesh);
      assertThat(digest(4, epochs, from(saved, before))).isEqualTo(undisturbed);
      assertThat(digest(4, epochs, from(saved, after))).isEqualTo(undisturbed);
      int others = 2 + copies;
      assertThat(digest(others, epochs, from(saved, before)))
          .isEqualTo(digest(others, epochs, from(saved, mesh)));
    }
  }

  private static String[] from(Saved saved, String exchange) {
    return new String[] {exchange, "--restore=" + saved.place()};
  }

  /** A savepoint, and the number of epochs with which a run resumes from it for a while. */
  private record Saved(String place, int epochs) {}

  /** Returns a savepoint from the middle of an epoch, after at least one epoch. */
  private Saved saved(String... more) throws Exception {
    return saved(3, more);
  }

  private Saved saved(int workers, String... more) throws Exception {
    JobClient job = submit(workers, MANY_EPOCHS, more);
    TrainingCluster.await(() -> cluster.allTasksRun(job) && TrainingCluster.epochs(job) > 0);
    String place =
        job.triggerSavepoint(folder.resolve("savepoints").toString(), SavepointFormatType.CANONICAL)
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    // A status may be older than the savepoint.
    int known = TrainingCluster.epochs(job);
    TrainingCluster.await(() -> TrainingCluster.epochs(job) > known);
    int epochs = TrainingCluster.epochs(job);
    job.cancel().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    TrainingCluster.await(() -> job.getJobStatus().join() == JobStatus.CANCELED);
    return new Saved(place, epochs + MORE_EPOCHS);
  }

  private String digest(int workers, int epochs, String... more) throws Exception {
    Optional<Outcome> outcome = TrainingCluster.end(submit(workers, epochs, more)).outcome();
    assertThat(outcome.orElseThrow().identical()).isEqualTo(workers);
    assertThat(outcome.orElseThrow().ledgerExact()).isTrue();
    return outcome.orElseThrow().digest();
  }

  private JobClient submit(int workers, int epochs, String... more) throws Exception {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--workers=" + workers,
                "--data=" + folder.resolve("points.csv"),
                "--checkpoint-dir=" + folder.resolve("checkpoints"),
                "--model=logistic",
                "--updater=adam",
                "--batch=3",
                "--epochs=" + epochs,
                "--out=" + folder.resolve("out" + jobs++)));
    if (Arrays.stream(more).noneMatch(option -> option.startsWith("--exchange"))) {
      options.add("--exchange=ring");
    }
    if (Arrays.stream(more).noneMatch(option -> option.startsWith("--checkpoint-interval"))) {
      options.add("--checkpoint-interval=1h");
    }
    options.addAll(List.of(more));
    String[] words = options.toArray(String[]::new);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(words));
    return cluster.submit(TrainingGraph.of(env, words).getJobGraph());
  }
}
