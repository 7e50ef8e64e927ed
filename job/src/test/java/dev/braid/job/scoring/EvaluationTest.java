package dev.braid.job.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.learner.network.ModelEvaluation;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code braid evaluate}, on models with known answers. */
class EvaluationTest extends ScoringCase {

  @Test
  void evaluatesAsCountedByHand() throws Exception {
    String model = saveTableModel(false);
    Path data = write("new.csv", "a,b,kind", "2,1,left", "3,1,left", "1,2,left", "1,5,right");
    Result text = run("evaluate", "--model", model, "--data", data.toString());
    assertThat(text.err()).isEmpty();
    assertThat(text.out())
        .contains("(4 samples, all there are)")
        .containsPattern("(?m)^accuracy +75.00 %$")
        .containsPattern("(?m)^balanced accuracy +83.33 %$")
        .contains("left          3     1.0000  0.6667  0.8000  1.0000")
        .contains("right         1     0.5000  1.0000  0.6667  1.0000")
        .contains("left       2      1")
        .contains("right      0      1");
    Result line = run("evaluate", "--model", model, "--data", data.toString(), "--json");
    JsonNode json = new ObjectMapper().readTree(line.out());
    assertThat(line.out()).hasLineCount(1);
    assertThat(json.get("accuracy").asDouble()).isEqualTo(0.75);
    assertThat(json.get("classes").get(0).get("f1").asDouble()).isCloseTo(0.8, within(1e-6));
    assertThat(json.get("confusion").toString()).isEqualTo("[[2,1],[0,1]]");
    double loss =
        IntStream.of(1, 2, -1, 4).mapToDouble(d -> Math.log1p(Math.exp(-4.0 * d))).sum() / 4;
    assertThat(json.get("loss").asDouble()).isCloseTo(loss, within(1e-5));
  }

  /** A class that the model never predicts counts in the means. */
  @Test
  void aClassThatIsNeverFoundCountsInTheMeans() throws Exception {
    String model = saveTableModel(false);
    Path data =
        write(
            "new.csv",
            "a,b,kind",
            "2,1,left",
            "3,1,left",
            "4,1,left",
            "2,1,right",
            "2,1,right",
            "2,1,right",
            "2,1,right");
    Result text = run("evaluate", "--model", model, "--data", data.toString());
    assertThat(text.out()).containsPattern("(?m)^mean +0.2143 +0.5000 +0.3000 *$");
    JsonNode json =
        new ObjectMapper()
            .readTree(run("evaluate", "--model", model, "--data", data + "", "--json").out());
    assertThat(json.get("f1").asDouble()).isCloseTo(0.3, within(1e-12));
    assertThat(json.get("balancedAccuracy").asDouble()).isEqualTo(0.5);
  }

  @Test
  void samplesOfOneClassOnlySaySo() throws Exception {
    String model = saveTableModel(false);
    Path data = write("new.csv", "a,b,kind", "2,1,left", "3,1,left");
    Result text = run("evaluate", "--model", model, "--data", data.toString());
    assertThat(text.out().lines().filter(line -> line.startsWith("accuracy")))
        .singleElement()
        .asString()
        .contains("100.00 %")
        .contains("left");
    assertThat(text.out()).containsPattern("(?m)^mean +1.0000 +1.0000 +1.0000 *$");
  }

  /** Names longer than a column's usual width are shown whole, or replaced by numbers. */
  @Test
  void theMatrixDoesNotCutNames() {
    List<String> three = List.of("Iris-setosa", "Iris-versicolor", "Iris-virginica");
    assertThat(matrix(three)).contains("Iris-setosa", "Iris-versicolor", "Iris-virginica");
    List<String> many = IntStream.range(0, 9).mapToObj("a-class-of-nine-%d"::formatted).toList();
    assertThat(matrix(many).strip().split(" +")).containsExactly("1 2 3 4 5 6 7 8 9".split(" "));
    List<String> alike =
        List.of("a-name-of-more-than-twenty-letters-1", "a-name-of-more-than-twenty-letters-2");
    assertThat(matrix(alike).strip()).matches("1 +2");
  }

  /** Returns the column headings of a confusion matrix. */
  private static String matrix(List<String> names) {
    int classes = names.size();
    ModelEvaluation evaluation =
        new ModelEvaluation(
            classes,
            1,
            0,
            1,
            1,
            1,
            Collections.nCopies(
                classes, new ModelEvaluation.OfClass(1, 1, 1, 1, OptionalDouble.empty())),
            Collections.nCopies(classes, Collections.nCopies(classes, 1)));
    List<String> lines = new ClassEvaluationText(evaluation, names).lines();
    return lines.get(lines.size() - classes - 1);
  }

  /** For the table on which a model was trained, only unseen rows are evaluated. */
  @Test
  void whatItWasTrainedOnIsNotATest() throws Exception {
    String model = saveTableModel(false);
    String data = folder.resolve("train.csv").toString();
    assertThat(run("evaluate", "--model", model, "--data", data).out())
        .contains("(3 test samples)");
    assertThat(run("evaluate", "--model", model, "--data", data, "--rows", "train").out())
        .contains("(27 training samples)");
    assertThat(run("evaluate", "--model", model, "--data", data, "--rows", "all").out())
        .contains("(30 samples, all there are)");
  }

  @Test
  void rowsOfPixelsAreEvaluatedAsTheyArePredicted() throws Exception {
    String model = saveImageModel();
    Path rows = write("rows.csv", "0,51,102,255,zero", "0,51,102,255,zero", "0,51,102,255,one");
    Result line = run("evaluate", "--model", model, "--data", rows.toString(), "--json");
    assertThat(line.err()).isEmpty();
    double loss = (2 * Math.log1p(Math.exp(-0.4)) + Math.log1p(Math.exp(0.4))) / 3;
    assertThat(new ObjectMapper().readTree(line.out()).get("loss").asDouble())
        .isCloseTo(loss, within(1e-6));
  }
}
