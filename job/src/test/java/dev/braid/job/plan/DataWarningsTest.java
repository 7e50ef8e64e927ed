package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.TrainingGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataWarningsTest {

  @TempDir private Path folder;

  /** Returns a table of fifty rows, the first in line 2, of which 45 are training rows. */
  private Path table(int... misspelt) throws IOException {
    StringBuilder rows = new StringBuilder("x,y,kind\n");
    for (int line = 2; line < 52; line++) {
      int number = line;
      boolean isMisspelt = IntStream.of(misspelt).anyMatch(it -> it == number);
      rows.append(line).append(',').append(line % 3).append(',');
      rows.append(isMisspelt ? "rigth" : line % 4 < 2 ? "left" : "right").append('\n');
    }
    return Files.writeString(folder.resolve("table.csv"), rows);
  }

  private static List<String> warnings(Path data, String... options) {
    String[] all = new String[options.length + 2];
    System.arraycopy(options, 0, all, 2, options.length);
    all[0] = "--data";
    all[1] = data.toString();
    return RunPlan.of(TrainingGraph.options(all)).warnings();
  }

  @Test
  void aBatchThatIsLargerThanAWorkersShare() throws IOException {
    assertThat(warnings(table(), "--workers", "4", "--batch", "13"))
        .containsExactly(
            "--batch 13: a worker's share of the 45 training samples is only 12, so that each epoch"
                + " is one round");
    assertThat(warnings(table(), "--workers", "4", "--batch", "12")).isEmpty();
  }

  @Test
  void aClassWithASingleSample() throws IOException {
    assertThat(warnings(table(7), "--workers", "1", "--batch", "10"))
        .containsExactly(
            "class rigth has only one training sample, in line 7: perhaps a misspelt label; did you"
                + " mean right?");
    assertThat(warnings(table(7, 9), "--workers", "1", "--batch", "10")).isEmpty();
  }

  @Test
  void anEmptyCellAmongTexts() throws IOException {
    Path data =
        Files.writeString(folder.resolve("gaps.csv"), "colour,x,k\nred,1,a\n,2,b\nblue,3,a\n");
    Files.writeString(folder.resolve("gaps.test.csv"), "colour,x,k\nred,1,a\n");
    assertThat(warnings(data, "--workers", "1", "--batch", "1"))
        .containsExactly("column 1 (colour): empty cells are treated as a category");
  }

  @Test
  void smallDataMayHaveSuchClasses() throws IOException {
    Path data = Files.writeString(folder.resolve("small.csv"), "1,a\n2,b\n3,a\n");
    Files.writeString(folder.resolve("small.test.csv"), "1,a\n");
    assertThat(warnings(data, "--workers", "1", "--batch", "1")).isEmpty();
  }

  @Test
  void testSamplesOfOneClassOnly() throws IOException {
    Path data = Files.writeString(folder.resolve("some.csv"), "1,a\n2,b\n3,a\n");
    Path test = Files.writeString(folder.resolve("some.test.csv"), "1,b\n2,b\n");
    assertThat(warnings(data, "--workers", "1", "--batch", "1"))
        .singleElement()
        .asString()
        .contains("(2)", "class b");
    Files.writeString(test, "1,b\n2,a\n");
    assertThat(warnings(data, "--workers", "1", "--batch", "1")).isEmpty();
  }
}
