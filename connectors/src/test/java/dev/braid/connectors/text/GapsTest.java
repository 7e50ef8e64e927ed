package dev.braid.connectors.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.DataLocation.Contents;
import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.learner.Samples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of cells without a number, and of dates as numbers. */
class GapsTest extends DataInFolder {

  private static final TableOptions SPECIES =
      new TableOptions("species", List.of(), List.of(), true);

  // ---- the case
  // ---------------------------------------------------------------------------------

  @Test
  void gapsAreNamedWithWhatWouldBeRight() throws IOException {
    rejects(
        gaps(Missing.FAIL),
        "gaps.csv:12: no number in column 6 (mass), the first of 36 cells in 4 columns");
    rejects(gaps(Missing.FAIL), "'missing: median'");
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "MEDIAN"})
  void gapsAreFilledByTheTrainingRows(Missing missing) throws IOException {
    Contents contents = gaps(missing).check();
    assertThat(contents.train().samples() + contents.test().samples()).isEqualTo(rows().size());
    TableSchema schema = (TableSchema) contents.location().table();
    for (TableColumn column : schema.columns()) {
      if (column.isText()) {
        assertThat(column.isFilled()).isFalse();
        continue;
      }
      double[] numbers =
          IntStream.range(0, rows().size())
              .filter(i -> i % 10 != 9)
              .mapToObj(i -> rows().get(i)[column.index()])
              .filter(cell -> !cell.isEmpty())
              .mapToDouble(Float::parseFloat)
              .sorted()
              .toArray();
      double expected =
          missing == Missing.MEAN
              ? Arrays.stream(numbers).average().orElseThrow()
              : (numbers[(numbers.length - 1) / 2] + numbers[numbers.length / 2]) / 2;
      assertThat(column.fill()).isCloseTo(expected, within(1e-9 * expected));
    }
    // With filled gaps, as the model sees the samples.
    Samples train = contents.location().openTrain();
    int feature = 0;
    for (TableColumn column : schema.columns()) {
      if (!column.isText()) {
        double sum = 0;
        double squares = 0;
        for (int id = 0; id < train.size(); id++) {
          double value = row(train, id)[feature];
          sum += value;
          squares += value * value;
        }
        assertThat(sum / train.size()).isCloseTo(0, within(1e-5));
        assertThat(squares / train.size()).isCloseTo(1, within(1e-5));
      }
      feature += column.width();
    }
    // The empty text is a separate category.
    assertThat(schema.columns().get(schema.columns().size() - 1).categories()).contains("");
  }

  @Test
  void rowsWithGapsAreLeftOut() throws IOException {
    Contents contents = gaps(Missing.DROP).check();
    long test = IntStream.range(0, rows().size()).filter(i -> i % 10 == 9 && isWhole(i)).count();
    long train = IntStream.range(0, rows().size()).filter(i -> i % 10 != 9 && isWhole(i)).count();
    assertThat(contents.train().samples())
        .isEqualTo((int) train)
        .isLessThan(rows().size() * 9 / 10);
    assertThat(contents.test().samples()).isEqualTo((int) test);
    assertThat(contents.notes()).singleElement().asString().contains("are left out");
    TableColumn length = ((TableSchema) contents.location().table()).columns().get(1);
    double mean =
        IntStream.range(0, rows().size())
            .filter(i -> i % 10 != 9 && isWhole(i))
            .mapToDouble(i -> Double.parseDouble(rows().get(i)[2]))
            .average()
            .orElseThrow();
    assertThat(length.mean()).isCloseTo(mean, within(1e-5));
  }

  private static boolean isWhole(int row) {
    return IntStream.rangeClosed(2, 5).noneMatch(i -> rows().get(row)[i].isEmpty());
  }

  private static List<String[]> rows() {
    return new String(resource(), StandardCharsets.UTF_8)
        .lines()
        .skip(1)
        .map(line -> line.split(",", -1))
        .toList();
  }

  private static byte[] resource() {
    try (InputStream in = GapsTest.class.getResourceAsStream("/cases/gaps.csv")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private DataLocation gaps(Missing missing) throws IOException {
    Files.write(folder.resolve("gaps.csv"), resource());
    return location("gaps.csv").withTable(SPECIES.withMissing(missing));
  }

  // ---- its kind
  // ---------------------------------------------------------------------------------

  /**
   * Rows count by their position in the file, so that gaps do not move other rows into the test
   * set.
   */
  @Test
  void theTestRowsAreTheSameWhateverIsLeftOut() throws IOException {
    List<String> lines =
        IntStream.range(0, 40).mapToObj(i -> (i == 3 ? "" : i + 0.5) + "," + i % 2).toList();
    write("a.csv", lines);
    Samples test = with("a.csv", Missing.DROP).check().location().openTest();
    assertThat(IntStream.range(0, 4).mapToObj(id -> row(test, id)[0]))
        .containsExactly(9.5f, 19.5f, 29.5f, 39.5f);
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "MEDIAN", "FAIL"})
  void aLabelIsNeverFilled(Missing missing) throws IOException {
    List<String> texts = new ArrayList<>(plain("a", "b"));
    texts.add(4, "1,");
    write("a.csv", texts);
    rejects(with("a.csv", missing), "a.csv:5: has no label in column 2: 'missing: drop'");
    List<String> numbers = new ArrayList<>(plain("0", "1"));
    numbers.add(4, "1,NA");
    write("b.csv", numbers);
    rejects(with("b.csv", missing), "b.csv:5: no label in column 2: 'missing: drop'");
    rejects(with("b.csv", missing).withValues(), "b.csv:5: no label in column 2: 'missing: drop'");
    rejects(with("b.csv", missing).withClassNames(List.of("0", "1")), "b.csv:5: no label: 'NA'");
  }

  @Test
  void rowsWithoutALabelAreDropped() throws IOException {
    List<String> texts = new ArrayList<>(plain("a", "b"));
    texts.add(4, "1,");
    write("a.csv", texts);
    assertThat(with("a.csv", Missing.DROP).check().train().samples()).isEqualTo(36);
    List<String> numbers = new ArrayList<>(plain("0", "1"));
    numbers.add(4, "1,NA");
    write("b.csv", numbers);
    DataLocation data = with("b.csv", Missing.DROP);
    for (DataLocation asked :
        List.of(data, data.withValues(), data.withClassNames(List.of("0", "1")))) {
      assertThat(asked.check().train().samples()).isEqualTo(36);
    }
  }

  /** {@code None} and {@code -} are valid names of classes and categories. */
  @Test
  void whatStandsForNoNumberMayBeAText() throws IOException {
    write(
        "a.csv",
        IntStream.range(0, 40)
            .mapToObj(i -> i + "," + (i % 3 == 0 ? "NA" : "EU") + "," + (i % 2 == 0 ? "None" : "-"))
            .toList());
    for (Missing missing : Missing.values()) {
      Contents contents = with("a.csv", missing).check();
      assertThat(contents.train().samples()).isEqualTo(36);
      assertThat(contents.location().classNames()).containsExactly("-", "None");
      assertThat(((TableSchema) contents.location().table()).columns().get(1).categories())
          .containsExactly("EU", "NA");
    }
  }

  @Test
  void gapsOfTestRowsAreProcessedLikeThoseOfTrainingRows() throws IOException {
    write("a.csv", List.of("1,a", "3,b", "8,a"));
    write("a.test.csv", List.of("?,a", "4,b"));
    rejects(with("a.csv", Missing.FAIL), "a.test.csv:1: column 1 has no number: '?'");
    Samples filled = with("a.csv", Missing.MEDIAN).check().location().openTest();
    assertThat(row(filled, 0)).containsExactly(3);
    assertThat(with("a.csv", Missing.DROP).check().test().samples()).isEqualTo(1);
    write("a.test.csv", List.of("?,a"));
    rejects(with("a.csv", Missing.DROP), "a.test.csv: all rows have gaps");
    write("a.csv", List.of("1,", "?,a", "-,b"));
    rejects(with("a.csv", Missing.DROP), "no training row");
  }

  /** A row for prediction is never omitted: it is a separate error. */
  @Test
  void rowsToAnswerAreFilledOrErrorsEach() throws IOException {
    write("a.csv", List.of("x,c,kind", "1,red,a", "3,red,b", "8,blue,a"));
    write("a.test.csv", List.of("x,c,kind", "1,red,a"));
    String rows = "NA,red\n5,red\n,blue\n";
    try (FeatureStream stream = stream(rows, Missing.MEAN)) {
      assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(4, 0, 1));
      assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(5, 0, 1));
      assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(4, 1, 0));
      assertThat(stream.next()).isEmpty();
    }
    for (Missing missing : List.of(Missing.DROP, Missing.FAIL)) {
      try (FeatureStream stream = stream(rows, missing)) {
        assertThatThrownBy(stream::next)
            .isInstanceOf(InvalidDataException.class)
            .hasMessageStartingWith("rows:1: column 1 (x) has no number: 'NA'");
        assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).containsExactly(5, 0, 1));
        assertThatThrownBy(stream::next).hasMessageStartingWith("rows:3: column 1 (x)");
      }
    }
  }

  private FeatureStream stream(String rows, Missing missing) {
    DataLocation found = with("a.csv", missing).check().location();
    return FeatureStream.open(
        "rows",
        new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)),
        Optional.empty(),
        new FeatureStream.Expected(
            found.openTrain().shape(),
            Optional.of((TableSchema) found.table()),
            1,
            ImageOptions.NONE));
  }

  /** Checkpoints contain the kind of fill. */
  @Test
  void otherFillsAreOtherData() throws IOException {
    write("a.csv", plain("a", "b"));
    assertThat(
            Arrays.stream(Missing.values())
                .map(missing -> with("a.csv", missing).check().location().fingerprint()))
        .doesNotHaveDuplicates();
  }

  private static List<String> plain(String even, String odd) {
    return IntStream.range(0, 40)
        .mapToObj(i -> i * i + 0.5 + "," + (i % 2 == 0 ? even : odd))
        .toList();
  }

  private DataLocation with(String name, Missing missing) {
    return location(name).withTable(TableOptions.DEFAULT.withMissing(missing));
  }

  // ---- dates
  // ------------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "1970-01-01, 0",
    "1969-12-31, -1",
    "2026-11-28, 20785",
    "1970-01-02T12:00, 1.5",
    "1970-01-02 12:00:00, 1.5",
    "1970-01-02T12:00Z, 1.5",
    "1970-01-02T12:00+06:00, 1.25",
    "1970-01-02T12:00:43.2-06:00, 1.7505",
    "2024-02-29, 19782"
  })
  void datesAreDaysSince1970(String text, double days) {
    assertThat(Dates.days(text).orElseThrow()).isCloseTo(days, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026",
        "2026-11",
        "28.11.2026",
        "11/28/2026",
        "2026-02-29",
        "2026-13-01",
        "26-11-28",
        "2026-11-28T",
        "2026-11-28T24:00",
        "2026-11-28T10",
        "2026-11-28T10:15+1",
        "10:15",
        "2026-11-28T10:15[Europe/Paris]",
        "2026-11-28 10:15 CET",
        "20261128",
        "+999999999-01-01",
        "-0001-05-05",
        "0000-01-01",
        "1764324900"
      })
  void otherFormsAreNoDates(String text) {
    assertThat(Dates.days(text)).isEqualTo(OptionalDouble.empty());
  }

  /** Adjacent floats near the number of days since 1970 differ by minutes. */
  @Test
  void timesKeepTheirSeconds() throws IOException {
    Instant begin = Instant.parse("2026-11-28T10:15:00Z");
    write(
        "a.csv",
        IntStream.range(0, 40)
            .mapToObj(i -> begin.plus(Duration.ofSeconds(i)) + "," + i % 2)
            .toList());
    DataLocation found = timed("a.csv", "1").check().location();
    TableColumn column = ((TableSchema) found.table()).columns().get(0);
    Samples train = found.openTrain();
    for (int id = 1; id < 9; id++) {
      double apart = row(train, id)[0] - row(train, id - 1)[0];
      assertThat(apart * column.deviation() * 86_400).isCloseTo(1, within(1e-3));
    }
    assertThat(column.deviation() * 86_400).isCloseTo(11.6, within(0.5));
  }

  @Test
  void datesMayBeMissing_andAreNamedOtherwise() throws IOException {
    LocalDate begin = LocalDate.of(2026, 1, 1);
    List<String> lines = new ArrayList<>(List.of("when,kind"));
    IntStream.range(0, 40).forEach(i -> lines.add(begin.plusDays(i) + "," + i % 2));
    write("a.csv", lines);
    rejects(location("a.csv"), "a.csv: column 1 (when): 36 different texts");
    rejects(location("a.csv"), "'dates: 1' takes dates as numbers");
    rejects(timed("a.csv", "kind"), "dates 2: column 2 (kind) is the label");
    lines.set(3, ",1");
    write("a.csv", lines);
    rejects(timed("a.csv", "when"), "a.csv:4: no number in column 1 (when)");
    DataLocation filled =
        location("a.csv")
            .withTable(TableOptions.DEFAULT.withTime(List.of("when")).withMissing(Missing.MEDIAN));
    TableColumn column = ((TableSchema) filled.check().location().table()).columns().get(0);
    assertThat(column.time()).isTrue();
    assertThat(column.fill()).isCloseTo(begin.toEpochDay() + 19.0, within(1.0));
    lines.set(3, "3.1.2026,1");
    write("a.csv", lines);
    rejects(timed("a.csv", "when"), "a.csv:4: '3.1.2026' is no date");
  }

  private DataLocation timed(String name, String column) {
    return location(name).withTable(TableOptions.DEFAULT.withTime(List.of(column)));
  }

  private static float[] row(Samples samples, int id) {
    float[] features = new float[samples.shape().features()];
    samples.copyFeatures(id, features, 0);
    return features;
  }
}
