package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.TrainingGraph;
import dev.braid.job.compare.Histories;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.result.Json;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedRunTest {

  private static final FinishedRun RUN = new FinishedRun("out/iris", 20);

  @Test
  void isKnownByTheEndOfItsHistory(@TempDir Path folder) throws IOException {
    TrainOptions options = TrainingGraph.options("--out", folder.toString());
    assertThat(FinishedRun.before(options)).as("no results").isEmpty();
    RunHistory history = Histories.of("{}");
    String head = Json.write(history.head()) + "\n";
    Path file = folder.resolve("history.jsonl");
    Files.writeString(file, head);
    assertThat(FinishedRun.before(options)).as("interrupted").isEmpty();
    Files.writeString(file, head + Json.write(history.outcome().orElseThrow()));
    assertThat(FinishedRun.before(options))
        .hasValue(new FinishedRun(folder.toString(), history.outcome().get().epochs()));
  }

  @Test
  void goesOnBeyondWhatItHad() {
    assertThat(RUN.goingOn(7, 30))
        .isEqualTo(
            "the last run in out/iris had finished, after 20 epochs: the checkpoint is of epoch 7,"
                + " and training continues from there to epoch 30, 10 more");
  }

  @Test
  void trainsNothingFurther() {
    for (int upTo : new int[] {20, 15}) {
      assertThat(RUN.goingOn(7, upTo))
          .contains("after 20 epochs", " " + upTo + " ")
          .endsWith("--model out/iris/model.zip");
    }
  }

  @Test
  void aRunThatFinishedHasRemovedItsCheckpoints() {
    assertThat(RUN.noCheckpoint())
        .contains("had finished, after 20 epochs")
        .endsWith("--model out/iris/model.zip");
  }
}
