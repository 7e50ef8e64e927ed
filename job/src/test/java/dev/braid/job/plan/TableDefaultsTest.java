package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.TrainingGraph;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

class TableDefaultsTest {

  @TempDir private Path folder;

  private Map<String, String> shown(int rows, String... more) throws IOException {
    return shownOf("", rows, more);
  }

  /** Returns the options of a run on a table with additional settings. */
  private Map<String, String> shownOf(String settings, int rows, String... more)
      throws IOException {
    List<String> table = new ArrayList<>(List.of("x,y,class"));
    for (int i = 0; i < rows; i++) {
      table.add("%d,%d,%s".formatted(i, 1000 - i % 7, i % 2 == 0 ? "a" : "b"));
    }
    Path file = Files.write(folder.resolve("t" + rows + ".csv"), table);
    // The test file makes all rows here training rows.
    Files.write(folder.resolve("t" + rows + ".test.csv"), table.subList(0, 5));
    List<String> options =
        new ArrayList<>(List.of("--data", "{place: %s%s}".formatted(file, settings)));
    options.addAll(List.of(more));
    return RunPlan.of(TrainingGraph.options(options.toArray(String[]::new))).shownOptions();
  }

  /** A round has a hundredth of the rows, at least 32, and at most 100 per worker. */
  @ParameterizedTest
  @CsvSource({
    "100, 4, 50, 8",
    "100, 1, 50, 32",
    "100, 16, 50, 2",
    "9000, 4, 50, 21",
    "20000, 4, 27, 45",
    "60000, 4, 10, 100",
    "60000, 1, 10, 100"
  })
  void thePaceFollowsFromTheRows(int rows, String workers, String epochs, String batch)
      throws IOException {
    assertThat(shown(rows, "--workers", workers))
        .containsEntry("epochs", epochs)
        .containsEntry("batch", batch);
  }

  @Test
  void whatIsTypedStays() throws IOException {
    assertThat(
            shown(
                100,
                "--epochs=10",
                "--batch=100",
                "--updater=momentum",
                "--standardize=false",
                "--validation=0.2"))
        .containsEntry("epochs", "10")
        .containsEntry("batch", "100")
        .containsEntry("updater", "momentum")
        .containsEntry("learning-rate", "0.1")
        .containsEntry("validation", "0.2")
        .doesNotContainKey("standardize");
    assertThat(shown(100, "--batch=all")).containsEntry("batch", "all");
    // A typed rate is meant for the default optimiser of other data.
    assertThat(shown(100, "--learning-rate=0.05"))
        .containsEntry("updater", "momentum")
        .containsEntry("learning-rate", "0.05");
  }

  @Test
  void standardizingByDefaultKeepsTheOtherOptionsOfATable() throws IOException {
    assertThat(shownOf(", missing: median, header: yes, ignore: y", 100))
        .containsEntry("standardize", "true")
        .containsEntry("missing", "median")
        .containsEntry("header", "yes")
        .containsEntry("ignore", "y");
  }

  @ParameterizedTest
  @CsvSource({
    "--model mlp, adam, 0.001",
    "--model logistic, adam, 0.01",
    "--exchange ako, momentum, 0.01",
    "--exchange sharing, momentum, 0.01",
    "--exchange ring:compress=dgc, momentum, 0.01",
    "--exchange ring:compress=bf16, adam, 0.001"
  })
  void theOptimiserIsOneThatTheExchangeCanApply(String options, String updater, String rate)
      throws IOException {
    assertThat(shown(100, options.split(" ")))
        .containsEntry("updater", updater)
        .containsEntry("learning-rate", rate);
  }

  @Test
  void samplesAreHeldOutOfTablesThatHaveEnough_andOfOthersWhereThatIsAskedFor() throws IOException {
    assertThat(shown(999)).doesNotContainKey("validation");
    assertThat(shown(1000)).containsEntry("validation", "0.1");
    assertThat(shown(1000, "--validation=0")).doesNotContainKey("validation");
    assertThat(shown(100, "--validation=0.25")).containsEntry("validation", "0.25");
    for (String share : List.of("0.001", "0.999", "1", "-0.1")) {
      assertThatThrownBy(() -> shown(100, "--validation=" + share))
          .as(share)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("--validation");
    }
    assertThatThrownBy(() -> shown(100, "--validation=nan"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--validation");
  }

  @Test
  void otherDataHasItsOwnDefaults() {
    assertThat(RunPlan.of(TrainingGraph.options()).shownOptions())
        .containsEntry("epochs", "10")
        .containsEntry("batch", "100")
        .containsEntry("updater", "momentum")
        .doesNotContainKeys("validation", "standardize");
  }

  @Test
  void aWarmUpIsHeldAgainstTheEpochsThatTheRunHas() throws IOException {
    assertThat(shown(100, "--warm-up=20")).containsEntry("warm-up", "20.0");
    assertThatThrownBy(() -> shown(60000, "--warm-up=20")).isInstanceOf(UsageException.class);
  }
}
