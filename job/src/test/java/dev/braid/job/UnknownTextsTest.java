package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.text.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts in a column of categories that no training row had. */
class UnknownTextsTest {

  private static final int WEIGHTS = 3 * 2 + 2;

  @TempDir private Path folder;

  @Test
  void predictionsNameEach_andSayHowMany() throws IOException {
    String model = model();
    Path rows = write("new.csv", "colour,size", "red,1", "teal,2", "blue,3", "grey,4", "teal,5");
    CommandRun result = CommandRun.of("predict", "--model", model, rows.toString());
    assertThat(result.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains(rows + ": column 1 (colour): 'teal' in line 3: "),
            line -> assertThat(line).contains("'grey' in line 5: "),
            line -> assertThat(line).contains("'teal' in line 3, first of 3: "));
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).hasLineCount(6);

    Path known = write("known.csv", "red,1", "blue,2");
    assertThat(CommandRun.of("predict", "--model", model, known.toString()).err()).isEmpty();
  }

  @Test
  void evaluationsSayHowManyOfTheRowsThatTheyAreOf() throws IOException {
    String model = model();
    List<String> rows = new ArrayList<>(List.of("colour,size,kind"));
    for (int i = 0; i < 20; i++) {
      rows.add((i % 10 == 9 ? "teal" : i == 3 ? "grey" : "red") + "," + i + ",left");
    }
    String data = write("new.csv", rows.toArray(String[]::new)).toString();
    CommandRun all = CommandRun.of("evaluate", "--model", model, "--data", data);
    assertThat(all.err()).contains("'grey' in line 5, first of 3: ").hasLineCount(1);
    assertThat(all.exitCode()).isZero();
    CommandRun test = CommandRun.of("evaluate", "--model", model, "--data", data, "--rows", "test");
    assertThat(test.err()).contains("'teal' in line 11, first of 2: ").hasLineCount(1);
    CommandRun train =
        CommandRun.of("evaluate", "--model", model, "--data", data, "--rows", "train");
    assertThat(train.err()).contains("'grey' in line 5: ").hasLineCount(1);
    String own = folder.resolve("train.csv").toString();
    assertThat(CommandRun.of("evaluate", "--model", model, "--data", own).err()).isEmpty();
  }

  private String model() throws IOException {
    List<String> rows = new ArrayList<>(List.of("colour,size,kind"));
    for (int i = 0; i < 40; i++) {
      rows.add((i % 2 == 0 ? "red" : "blue") + "," + i + "," + (i < 20 ? "left" : "right"));
    }
    return TrainedTable.save(folder, TableOptions.DEFAULT, new float[WEIGHTS], rows);
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }
}
