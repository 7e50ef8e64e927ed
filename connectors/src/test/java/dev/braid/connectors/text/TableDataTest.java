package dev.braid.connectors.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.file.InvalidSampleException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.learner.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Typical tables of users: with names, quotes, texts and various separators. */
class TableDataTest extends DataInFolder {

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "\t", "|"})
  void theSeparatorIsFound(String separator) throws IOException {
    List<String> lines = new ArrayList<>(List.of("age,\"home, town\",kind"));
    lines.addAll(List.of("1.5,\"Bonn; Beuel\",yes", "2.5,Köln,no"));
    List<String> other =
        lines.stream()
            .map(line -> separator.equals(",") ? line : line.replace("home, town", "home town"))
            .map(line -> separator.equals(",") ? line : line.replace(",", separator))
            .toList();
    write("a.csv", other);
    write("a.test.csv", other);
    DataLocation.Contents contents = location("a.csv").check();
    assertThat(contents.location().classNames()).containsExactly("no", "yes");
    TableSchema schema = (TableSchema) contents.location().table();
    assertThat(schema.header()).isTrue();
    assertThat(schema.columns())
        .containsExactly(
            TableColumn.numbers(0, "age"),
            TableColumn.texts(
                1,
                separator.equals(",") ? "home, town" : "home town",
                List.of("Bonn; Beuel", "Köln")));
    assertThat(row(contents.location().openTrain(), 0)).containsExactly(1.5f, 1, 0);
    assertThat(row(contents.location().openTrain(), 1)).containsExactly(2.5f, 0, 1);
    assertThat(contents.train().classCounts()).containsExactly(1, 1);
  }

  @Test
  void aHeaderIsToldFromRows() throws IOException {
    write("names.csv", List.of("a,b", "x,0", "y,1"));
    write("names.test.csv", List.of("a,b", "x,0"));
    assertThat(location("names.csv").check().train().samples()).isEqualTo(2);
    write("texts.csv", List.of("red,yes", "blue,no", "green,maybe"));
    write("texts.test.csv", List.of("blue,no"));
    assertThat(location("texts.csv").check().train().samples()).as("both differ").isEqualTo(2);
    write("texts.csv", List.of("red,yes", "red,no", "blue,yes"));
    assertThat(location("texts.csv").check().train().samples()).as("yes again").isEqualTo(3);
  }

  @Test
  void theLabelIsAnyColumn() throws IOException {
    List<String> rows =
        IntStream.range(0, 40).mapToObj(i -> i % 2 + "," + i + "," + i % 3).toList();
    write("a.csv", rows);
    DataLocation byNumber = location("a.csv").withTable(options("1", List.of(), List.of()));
    DataLocation.Contents contents = byNumber.check();
    assertThat(contents.shape().classes()).isEqualTo(2);
    assertThat(row(contents.location().openTrain(), 5)).containsExactly(5, 2);
    List<String> named = new ArrayList<>(List.of("kind,count,rest"));
    named.addAll(rows);
    write("b.csv", named);
    for (String column : new String[] {"kind", "1"}) {
      DataLocation byName =
          location("b.csv").withTable(options(column, List.of("rest"), List.of()));
      assertThat(byName.check().shape().features()).isEqualTo(1);
    }
    rejects(
        location("b.csv").withTable(options("class", List.of(), List.of())),
        "b.csv: `label` class: no such column; there are kind, count, rest, or 1 to 3");
    rejects(
        location("a.csv").withTable(options("", List.of("4"), List.of())),
        "a.csv: ignore 4: no such column; a number is needed, or 1 to 3");
    rejects(
        location("a.csv").withTable(options("", List.of("3"), List.of())),
        "a.csv: ignore 3: column 3 is the label, as the last one; `label` names another");
    rejects(
        location("b.csv").withTable(options("kind", List.of("rest", "kind"), List.of())),
        "b.csv: ignore 1: column 1 (kind) is the label; `label` names another");
  }

  @Test
  void numbersMayBeCategories() throws IOException {
    write("a.csv", IntStream.range(0, 30).mapToObj(i -> i % 3 * 10 + "," + i % 2).toList());
    DataLocation.Contents contents =
        location("a.csv").withTable(options("", List.of(), List.of("1"))).check();
    assertThat(contents.shape().features()).isEqualTo(3);
    assertThat(row(contents.location().openTrain(), 1)).containsExactly(0, 1, 0);
  }

  /** Only a model of a topic has such columns; it also predicts the rows of tables. */
  @Test
  void textsMayBeHashed() throws IOException {
    List<String> rows = List.of("zip,kind", "10115,0", "80331,1", ",0", " 10115 ,1");
    write("a.csv", rows);
    write("a.test.csv", rows);
    TableColumn zip = TableColumn.hashed(0, "zip", 100);
    TableSchema schema = TableSchema.ofClasses(true, 2, 1, "kind", List.of(zip), Missing.FAIL);
    Samples samples =
        location("a.csv").withClassNames(List.of("0", "1")).withTable(schema).openTrain();
    assertThat(samples.shape().features()).isEqualTo(100);
    int row = 0;
    for (String text : List.of("10115", "80331", "", "10115")) {
      float[] expected = new float[100];
      expected[zip.bucket(text)] = 1;
      assertThat(row(samples, row++)).as(text).containsExactly(expected);
    }
  }

  @Test
  void columnsAreStandardizedOverTheTrainingRows() throws IOException {
    write("a.csv", List.of("1,5,0", "3,5,1"));
    write("a.test.csv", List.of("5,5,1"));
    DataLocation.Contents contents =
        location("a.csv").withTable(new TableOptions("", List.of(), List.of(), true)).check();
    DataLocation found = contents.location();
    assertThat(row(found.openTrain(), 0)).containsExactly(-1, 0);
    assertThat(row(found.openTrain(), 1)).containsExactly(1, 0);
    assertThat(row(found.openTest(), 0)).containsExactly(3, 0);
  }

  /** Welford's sums keep digits that a plain sum of squares would lose. */
  @Test
  void farFromZeroDeviationsAreExact() throws IOException {
    write("a.csv", IntStream.range(0, 100).mapToObj(i -> 1e6 + i % 2 + "," + i % 2).toList());
    DataLocation found =
        location("a.csv")
            .withTable(new TableOptions("", List.of(), List.of(), true))
            .check()
            .location();
    TableColumn column = ((TableSchema) found.table()).columns().get(0);
    assertThat(column.mean()).isCloseTo(1e6 + 0.44, within(0.01));
    assertThat(column.deviation()).isCloseTo(0.497, within(0.001));
  }

  /** The schema is part of a job, and another client determines the same one. */
  @Test
  void theSchemaIsTheSameAgainAndElsewhere() throws Exception {
    write(
        "a.csv",
        IntStream.range(0, 50).mapToObj(i -> i * 0.1 + ",t" + i % 7 + "," + i % 2).toList());
    DataLocation asked =
        location("a.csv").withTable(new TableOptions("", List.of(), List.of(), true));
    DataLocation found = asked.check().location();
    assertThat(asked.check().location()).isEqualTo(found);
    assertThat(asked.check().location().fingerprint()).isEqualTo(found.fingerprint());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(found);
    Object back = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertThat(back).isEqualTo(found);
    write(
        "a.csv",
        IntStream.range(0, 50).mapToObj(i -> i * 0.2 + ",t" + i % 7 + "," + i % 2).toList());
    // Checksums detect other numbers.
    assertThat(asked.check().location()).isNotEqualTo(found);
    assertThat(asked.check().location().fingerprint()).isEqualTo(found.fingerprint());
    assertThat(location("a.csv").check().location().fingerprint())
        .isNotEqualTo(found.fingerprint());
  }

  @Test
  void columnsOfOtherFilesAreFoundByName() throws IOException {
    write("a.csv", List.of("x,colour,y,kind", "1,red,2,no", "3,blue,4,yes"));
    write("a.test.csv", List.of("id,y,kind,x,colour", "7,2,no,1,red", "8,2,yes,1,green"));
    Samples test = location("a.csv").check().location().openTest();
    assertThat(row(test, 0)).containsExactly(1, 0, 1, 2);
    assertThat(row(test, 1)).as("a colour without training rows").containsExactly(1, 0, 0, 2);
    write("a.test.csv", List.of("y,kind,x", "2,no,1"));
    rejects(
        location("a.csv"), "a.test.csv:1: no column colour: it is needed, and there are y, kind");
    write("a.test.csv", List.of("1,red,2,maybe"));
    rejects(location("a.csv"), "a.test.csv:1: label maybe: the labels are no, yes");
  }

  @Test
  void whatIsLikelyAMistakeIsRefused() throws IOException {
    refuses(i -> i + "," + i, "column 2: 25 classes in 25 training samples, less than 10 samples");
    refuses(i -> i + "," + i, "give `label` and the column of the class, or 'classes: 25'");
    refuses(i -> i + "," + (1 + i % 2), "no training sample of class 0: give 'classes: 1,2' if");
    refuses(i -> i + "," + i % 2 * 5000000, "class 1, 2, 3,");
    refuses(i -> i + "," + (i % 2 * 2 - 1), "label -1: classes are counted from 0; 'classes' and");
    refuses(i -> i + "," + i * 0.5, "label 0.5: must be a whole number");
    refuses(i -> i + ",n" + i, "column 2: 25 classes in 25 training samples");
    refuses(i -> "n" + i + "," + i % 2, "column 1: 25 different texts in 25 training rows: too");
    refuses(
        i -> "\"" + i + ",5\"," + i % 2,
        "column 1: '0,5': numbers need a decimal point, not a comma");
    refuses(i -> i + ",same", "column 2: every label is 'same'");
    refuses(i -> i + ",", "a.csv:1: has no label in column 2");
  }

  @Test
  void noTextIsACategoryToo() throws IOException {
    write(
        "a.csv",
        IntStream.range(0, 27).mapToObj(i -> (i % 3 == 0 ? "" : "x") + "," + i % 2).toList());
    assertThat(location("a.csv").check().shape().features()).isEqualTo(2);
  }

  private void refuses(IntFunction<String> row, String message) throws IOException {
    write("a.csv", IntStream.range(0, 27).mapToObj(row).toList());
    rejects(location("a.csv"), message);
  }

  @Test
  void classesThatTheUserNamesAreNotDoubted() throws IOException {
    write("a.csv", IntStream.range(0, 30).mapToObj(i -> i + "," + (i - 15)).toList());
    rejects(location("a.csv").withClasses(15), "label -15: 0 to 14 are the labels of 15 classes");
    write("a.csv", IntStream.range(0, 30).mapToObj(i -> i + "," + (5 + i % 2)).toList());
    DataLocation named = location("a.csv").withClassNames(List.of("6", "5"));
    assertThat(named.check().location().openTrain().label(0)).isEqualTo(1);
    assertThat(location("a.csv").withClasses(9).check().shape().classes()).isEqualTo(9);
    write("a.csv", IntStream.range(0, 30).mapToObj(i -> i + ",c" + i % 3).toList());
    rejects(location("a.csv").withClasses(4), "3 different texts as labels, and classes 4");
    rejects(
        location("a.csv").withClassNames(List.of("c0", "c1")), "label c2: the labels are c0, c1");
    assertThatThrownBy(() -> location("a.csv").withClassNames(List.of("a", "a")))
        .hasMessageContaining("one is given twice");
  }

  @Test
  void mixedColumnsNameTheOddCell() throws IOException {
    write("a.csv", List.of("1,0", "2,1", "three,0"));
    write("a.test.csv", List.of("1,0"));
    rejects(
        location("a.csv"),
        "a.csv:3: 'three' is not a number, and others in column 1 are: correct it, or give"
            + " 'categories: 1' to take all as texts, or 'ignore: 1'");
    write("a.csv", List.of("1,0", "2,1", "3,two"));
    rejects(location("a.csv"), "a.csv:3: 'two' is not a number, and others in column 2 are");
  }

  /** A quote that is never closed must not put the rest of the file into one cell. */
  @Test
  void cellsAndColumnsHaveLimits() throws IOException {
    write("a.csv", List.of("1,0", "\"2,1" + "\n3,0".repeat(CsvFile.MAX_CELL_LENGTH)));
    rejects(location("a.csv"), "a.csv: after line 1: more than 65536 characters in a cell");
    write("a.csv", List.of("1" + ",1".repeat(CsvFile.MAX_COLUMNS)));
    rejects(location("a.csv"), "a.csv:1: more than 131072 columns");
  }

  @Test
  void controlLettersOfAFileDoNotReachTheTerminal() throws IOException {
    write("a.csv", List.of("1,0", "\u001b[31mred,1"));
    write("a.test.csv", List.of("1,0"));
    rejects(location("a.csv"), "'\\u001b[31mred' is not a number");
  }

  // ---- without labels
  // -----------------------------------------------------------------------------

  @Test
  void rowsToClassifyMayHaveLabelsOrNot() throws IOException {
    write("a.csv", List.of("x,kind,colour", "1,no,red", "3,yes,blue"));
    write("a.test.csv", List.of("1,no,red"));
    DataLocation asked = location("a.csv").withTable(options("kind", List.of(), List.of()));
    DataLocation found = asked.check().location();
    FeatureStream.Expected expected =
        new FeatureStream.Expected(
            found.openTrain().shape(),
            Optional.of((TableSchema) found.table()),
            1,
            ImageOptions.NONE);
    for (String rows :
        List.of(
            "5,red\n6,blue\n", "x,kind,colour\n5,no,red\n6,?,blue", "colour;x\nred;5\nblue;6")) {
      try (FeatureStream stream = stream(rows, expected)) {
        assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(5, 0, 1));
        assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(6, 1, 0));
        assertThat(stream.next()).isEmpty();
      }
    }
    try (FeatureStream stream = stream("5\n5,no,red\nx,no,red\n6,no,red\n", expected)) {
      assertThatThrownBy(stream::next)
          .isInstanceOf(InvalidSampleException.class)
          .hasMessage("rows:1: 1 columns: 2, or 3 with the label, are needed");
      assertThat(stream.next()).isPresent();
      assertThatThrownBy(stream::next)
          .isInstanceOf(InvalidSampleException.class)
          .hasMessage("rows:3: 'x' in column 1 (x) is not a number");
      assertThat(stream.next()).isPresent();
    }
  }

  private static FeatureStream stream(String rows, FeatureStream.Expected expected) {
    return FeatureStream.open(
        "rows",
        new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)),
        Optional.empty(),
        expected);
  }

  private static TableOptions options(String label, List<String> ignored, List<String> text) {
    return new TableOptions(label, ignored, text, false);
  }

  private static float[] row(Samples samples, int id) {
    float[] features = new float[samples.shape().features()];
    samples.copyFeatures(id, features, 0);
    return features;
  }
}
