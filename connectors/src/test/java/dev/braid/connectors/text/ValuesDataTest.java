package dev.braid.connectors.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.ValueRange;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of data whose labels are values: numbers that a model predicts. */
class ValuesDataTest extends DataInFolder {

  private DataLocation values(String name, String labels, boolean standardized) {
    return location(name)
        .withTable(new TableOptions(labels, List.of(), List.of(), standardized))
        .withValues();
  }

  private static float[] targets(Samples samples) {
    int[] ids = IntStream.range(0, samples.size()).toArray();
    return ((Targets.Values) samples.batch(0, ids, false).targets()).values();
  }

  @Test
  void theLastColumnIsTheValue() throws IOException {
    write("a.csv", List.of("x,y", "1,-2.5", "2,0", "3,1e3"));
    write("a.test.csv", List.of("y,x", "7,4"));
    DataLocation.Contents contents = values("a.csv", "", false).check();
    assertThat(contents.shape()).isEqualTo(Shape.rows(1, 2).withValues(1));
    assertThat(contents.train().samples()).isEqualTo(3);
    assertThat(contents.test().samples()).isEqualTo(1);
    assertThat(contents.train().classCounts()).isEmpty();
    assertThat(contents.train().values())
        .containsExactly(new ValueRange("y", -2.5, 1000, 997.5 / 3));
    assertThat(targets(contents.location().openTrain())).containsExactly(-2.5f, 0, 1000);
    assertThat(targets(contents.location().openTest())).containsExactly(7);
    assertThatThrownBy(() -> contents.location().openTrain().label(0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void severalColumnsAreValues_inTheOrderInWhichTheyAreNamed() throws IOException {
    write("a.csv", List.of("b,x,a", "10,1,100", "30,2,300"));
    write("a.test.csv", List.of("20,1,200"));
    DataLocation found = values("a.csv", "a, b", true).check().location();
    assertThat(found.openTrain().shape().outputs()).isEqualTo(2);
    assertThat(targets(found.openTrain())).containsExactly(-1, -1, 1, 1);
    assertThat(targets(found.openTest())).as("scaled as training rows are").containsExactly(0, 0);
    assertThat(found.valueColumns())
        .containsExactly(
            new TableColumn(2, "a", 200, 100, List.of()),
            new TableColumn(0, "b", 20, 10, List.of()));
    assertThat(found.valueColumns().get(0).unscaled(0.5f)).isEqualTo(250);
    rejects(values("a.csv", "a,c", false), "`label` c: no such column; there are b, x, a");
    rejects(values("a.csv", "a,3", false), "a.csv: `label` a,3: names a column twice");
    // A name may contain a comma.
    write("a.csv", List.of("\"a, b\",x", "10,1", "30,2"));
    write("a.test.csv", List.of("20,1"));
    assertThat(values("a.csv", "a, b", false).check().train().values())
        .extracting(ValueRange::name)
        .containsExactly("a, b");
  }

  @Test
  void libSvmHasOneValue_andNoSigns() throws IOException {
    write("a.svm", List.of("-1 1:1", "0.25 3:2", "+1 1:3"));
    write("a.test.svm", List.of("-7.5 2:1"));
    DataLocation.Contents contents = location("a.svm").withValues().check();
    assertThat(contents.shape()).isEqualTo(Shape.rows(3, 2).withValues(1));
    assertThat(targets(contents.location().openTrain())).containsExactly(-1, 0.25f, 1);
    assertThat(targets(contents.location().openTest())).containsExactly(-7.5f);
    assertThat(targets(location("a.svm").withValues().openTest())).containsExactly(-7.5f);
    assertThat(contents.train().values()).extracting(ValueRange::name).containsExactly("label");
  }

  @Test
  void whatIsNoNumberToPredictIsRefused() throws IOException {
    write("a.csv", List.of("1,2", "3,x", "4,5"));
    write("a.test.csv", List.of("1,2"));
    rejects(
        values("a.csv", "", false),
        "a.csv:2: 'x' is not a number, and `regression` is to predict the numbers of column 2");
    write("a.csv", List.of("1,2", "3,", "4,5"));
    rejects(values("a.csv", "", false), "a.csv:2: no label in column 2");
    write("a.csv", List.of("1,2", "3,4"));
    write("a.test.csv", List.of("1,red"));
    rejects(values("a.csv", "", false), "a.test.csv:1: 'red' in column 2 is not a number");
    rejects(DataLocation.of("mnist").withValues(), "mnist: images have classes");
  }

  /** This applies to both formats, and only to training data. */
  @Test
  void valuesThatAreAllTheSameAreRefused() throws IOException {
    write("a.csv", List.of("x,y", "1,2", "3,2", "4,2"));
    write("a.test.csv", List.of("x,y", "1,2"));
    for (boolean standardized : new boolean[] {false, true}) {
      rejects(
          values("a.csv", "", standardized),
          "a.csv: all 3 training values of y are 2.0: there is nothing to predict");
    }
    write("b.svm", List.of("7 1:1", "7 1:2"));
    write("b.test.svm", List.of("8 1:1"));
    rejects(
        location("b.svm").withValues(),
        "b.svm: all 2 training values of label are 7.0: there is nothing to predict");
    assertThat(targets(values("a.csv", "", false).openAll())).containsExactly(2, 2, 2);
  }

  @Test
  void oneTrainingSampleIsTooFew() throws IOException {
    write("a.csv", List.of("x,y", "1,5"));
    write("a.test.csv", List.of("x,y", "1,2"));
    rejects(values("a.csv", "", false), "a.csv: 1 training sample");
  }

  @Test
  void testSamplesHaveRangesOfTheirOwn() throws IOException {
    write("a.csv", List.of("x,y", "1,2", "3,4"));
    write("a.test.csv", List.of("x,y", "1,-6", "1,9"));
    for (boolean standardized : new boolean[] {false, true}) {
      assertThat(values("a.csv", "", standardized).check().test().values())
          .containsExactly(new ValueRange("y", -6, 9, 1.5));
    }
  }

  /** Users with numbers as labels get a hint about regression. */
  @Test
  void labelsThatAreNoClassesNameTheOption() throws IOException {
    hints(IntStream.range(0, 27).mapToObj(i -> i + "," + i * 0.5).toList());
    hints(IntStream.range(0, 27).mapToObj(i -> i + "," + i).toList());
    hints(IntStream.range(0, 27).mapToObj(i -> i + "," + (i % 2 * 2 - 1)).toList());
    hints(IntStream.range(0, 27).mapToObj(i -> i + "," + 7 * (1 + i % 2)).toList());
    write("a.csv", IntStream.range(0, 27).mapToObj(i -> i + ",n" + i).toList());
    assertThatThrownBy(() -> location("a.csv").check())
        .message()
        .as("texts are no numbers")
        .doesNotContain("`regression`");
    write("a.svm", IntStream.range(0, 27).mapToObj(i -> i + " 1:1").toList());
    rejects(location("a.svm"), "use `regression`");
  }

  private void hints(List<String> rows) throws IOException {
    write("a.csv", rows);
    rejects(location("a.csv"), "use `regression`");
  }

  /** Positions in a checkpoint refer to these samples with these targets. */
  @Test
  void otherValuesAreOtherData_andClassesAreWhatTheyWere() throws IOException {
    List<String> rows = new ArrayList<>(List.of("x,y,z"));
    IntStream.range(0, 30).forEach(i -> rows.add(i + "," + i % 2 + "," + i * 2));
    write("a.csv", rows);
    String one = values("a.csv", "z", true).check().location().fingerprint();
    assertThat(values("a.csv", "z", true).check().location().fingerprint()).isEqualTo(one);
    assertThat(values("a.csv", "y,z", true).check().location().fingerprint()).isNotEqualTo(one);
    assertThat(values("a.csv", "z", false).check().location().fingerprint()).isNotEqualTo(one);
    DataLocation classes =
        location("a.csv").withTable(new TableOptions("y", List.of("x"), List.of(), false));
    assertThat(classes.check().location().fingerprint()).isEqualTo("31fc68d93a43a732");
  }

  @Test
  void rowsToPredictMayHaveValuesOrNot() throws IOException {
    write("a.csv", List.of("p,x,q,y", "1,2,3,4", "5,6,7,9"));
    write("a.test.csv", List.of("1,2,3,4"));
    DataLocation found = values("a.csv", "p,q", true).check().location();
    FeatureStream.Expected expected =
        new FeatureStream.Expected(
            found.openTrain().shape(),
            Optional.of((TableSchema) found.table()),
            1,
            ImageOptions.NONE);
    for (String rows : List.of("2,9\n", "?,2,?,9\n", "y,x\n9,2")) {
      try (FeatureStream stream =
          FeatureStream.open(
              "rows",
              new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)),
              Optional.empty(),
              expected)) {
        assertThat(stream.next())
            .hasValueSatisfying(
                sample -> {
                  assertThat(sample[0]).isCloseTo(-1, within(1e-6f));
                  assertThat(sample[1]).isCloseTo(1, within(1e-6f));
                });
      }
    }
  }
}
