package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.config.DataSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code braid feed} reads options and data sets. */
class FeedCommandTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --stream sea | --topic
          --topic t | --data --stream
          --topic a/b --stream sea | --topic a/b 200
          --topic t --data mnist --stream sea | --data --stream
          --topic t --stream see | see sea hyperplane linear
          --topic t --stream sea --rate 0, --topic t --stream sea --rate NaN | --rate
          --topic t --stream sea --records 0 | --records 0 1
          --topic t --stream sea --partitions 0 | --partitions 0 1000
          --topic t --stream sea --format xml | --format xml json csv avro
          --topic t --stream sea --seed x | --seed x
          --topic t --data mnist --seed 2 | --seed 2 --stream
          --topic t --data nowhere.csv | --data nowhere.csv
          --topic t --data ../docs/example/iris.csv --records 1000 | --records 1000
          --topic t --stream sea AWAY | 127.0.0.1:1 kafka
          """)
  void namesTheMistakeInOneLine(String mistakes, String words) {
    for (String mistake : mistakes.split(", ", -1)) {
      CommandRun run = CommandRun.ofLine("feed " + mistake);
      run.assertMistake(words);
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void aMistakeInADataFileHasTheLineOfItsSetting() throws Exception {
    Path table = Files.writeString(folder.resolve("t.csv"), "a,b\n1,2\n3,4\n");
    Path file = Files.writeString(folder.resolve("data.yaml"), "place: " + table + "\nlabel: c\n");
    CommandRun.ofLine("feed --topic t --data " + file).assertMistake("data.yaml:2: --label c");
  }

  private List<String> records(RecordFormat format, String data) {
    DataSetSource source = DataSetSource.of(DataSettings.typed(data));
    List<String> records = new ArrayList<>();
    for (long i = 0; i < source.size().orElseThrow(); i++) {
      byte[] value = format.write(source.next(), source.fields());
      records.add(new String(value, StandardCharsets.UTF_8));
    }
    return records;
  }

  /** Every tenth row is a test sample. */
  @Test
  void rowsOfATableAreAsInItsFile_thoughItIsToBeStandardized() throws Exception {
    StringBuilder rows = new StringBuilder("a,b,kind\n");
    for (int i = 0; i < 20; i++) {
      rows.append(i).append(',').append(i / 8f).append(i % 2 == 0 ? ",odd\n" : ",even\n");
    }
    Path file = Files.writeString(folder.resolve("t.csv"), rows);
    String settings = "{place: '" + file + "', standardize: true, classes: [odd, even]}";
    assertThat(records(RecordFormat.JSON, settings))
        .hasSize(18)
        .startsWith(
            "{\"id\":0,\"features\":[0,0],\"label\":\"odd\"}",
            "{\"id\":1,\"features\":[1,0.125],\"label\":\"even\"}")
        .endsWith("{\"id\":17,\"features\":[18,2.25],\"label\":\"odd\"}");
    assertThat(records(RecordFormat.CSV, settings)).startsWith("0,0,odd", "1,0.125,even");
  }

  @Test
  void classesThatAreNumbersAreWrittenAsNumbers_andValuesToo() throws Exception {
    Path classes = Files.writeString(folder.resolve("c.csv"), "1.5,7\n2.5,9\n".repeat(20));
    assertThat(records(RecordFormat.JSON, "{place: '" + classes + "', classes: [7, 9]}"))
        .startsWith("{\"id\":0,\"features\":[1.5],\"label\":7}")
        .element(1)
        .asString()
        .endsWith("\"label\":9}");
    Path values = Files.writeString(folder.resolve("v.csv"), "1.5,7,0.5\n2.5,9,1\n".repeat(20));
    assertThat(
            records(
                RecordFormat.JSON, "{place: '" + values + "', regression: true, label: [2, 3]}"))
        .startsWith("{\"id\":0,\"features\":[1.5],\"label\":[7,0.5]}");
  }
}
