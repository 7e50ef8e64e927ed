package dev.braid.connectors.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextDataTest extends DataInFolder {

  @Test
  void everyTenthRowIsATestRow() throws IOException {
    write("a.csv", IntStream.range(0, 25).mapToObj(i -> i + "," + i % 2).toList());
    DataLocation location = location("a.csv");
    holds(location, Shape.rows(1, 2), 23, 2);
    Samples test = location.openTest();
    assertThat(test.batch(0, new int[] {0, 1}, true).features().toArray()).containsExactly(9, 19);
    assertThat(location.openTrain().batch(0, new int[] {8, 9}, true).features().toArray())
        .containsExactly(8, 10);
  }

  @Test
  void testRowsMayHaveTheirOwnFile() throws IOException {
    write("a.csv", List.of("\ufeffx,y,label", "", " 1 , 2.5e1 , 0 ", "3,-4,1.0", ""));
    write("a.test.csv", List.of("5,6,1"));
    DataLocation location = location("a.csv");
    holds(location, Shape.rows(2, 2), 2, 1);
    assertThat(location.openTrain().batch(0, new int[] {0, 1}, true).features().toArray())
        .containsExactly(1, 25, 3, -4);
    assertThat(location.openTrain().label(1)).isEqualTo(1);
  }

  @Test
  void gzippedTextOpens() throws IOException {
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.libsvm.gz")))) {
      out.write("0 1:1\n1 2:2\n".getBytes(StandardCharsets.UTF_8));
    }
    write("a.test.libsvm", List.of("1"));
    holds(location("a.libsvm.gz"), Shape.rows(2, 2), 2, 1);
  }

  @Test
  void sparseRowsBecomeDense() throws IOException {
    write("a.svm", List.of("# of digits", "2 1:1 3:0.5 # a comment", "0", "1 2:-3"));
    write("a.test.svm", List.of("2 2:1"));
    Samples train = location("a.svm").withFeatures(4).openTrain();
    assertThat(train.shape()).isEqualTo(Shape.rows(4, 3));
    assertThat(train.batch(0, new int[] {2, 0, 1}, true).features().toArray())
        .containsExactly(0, -3, 0, 0, 1, 0, 0.5f, 0, 0, 0, 0, 0);
    assertThat(location("a.svm").openTest().shape()).isEqualTo(Shape.rows(3, 3));
  }

  @Test
  void signsAreTheTwoClasses() throws IOException {
    write("a.svm", List.of("-1 1:1", "+1 1:2"));
    write("a.test.svm", List.of("+1 1:1"));
    Samples train = location("a.svm").openTrain();
    assertThat(train.label(0)).isZero();
    assertThat(train.label(1)).isEqualTo(1);
    assertThat(location("a.svm").openTest().label(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2,0;1,NaN,1|a.csv:2: no number in column 2",
        "1,2,0;1,-Infinity,1|a.csv:2: '-Infinity' in column 2 is not a finite number",
        "1,2,0;1,1e39,1|a.csv:2: '1e39' in column 2 is not a finite number",
        "1,2,0;;1,0|a.csv:3: 2 columns; must be 3",
        "a,b,c;1,0|a.csv:2: 2 columns; must be 3",
        "1,2,0;1,x,1|a.csv:2: 'x' is not a number",
        "1,2,0;1,,1|a.csv:2: no number in column 2",
        "1,2,0;1,2f,1|a.csv:2: '2f' is not a number",
        "1,2,0;1,0x1p3,1|a.csv:2: '0x1p3' is not a number",
        "3,4,0;1,x,0|a.csv:2: 'x' is not a number",
        "1,5,1;2,'2,5',1|a.csv:1: 3 columns, and 4 in line 2",
        "1|a.csv:1: has 1 column",
        "1,2,0;1,2,0.5|a.csv:2: label 0.5: must be a whole number",
        "1,2,0;1,2,-1|a.csv:2: label -1: 0 to 1",
        "1,2,0;1,2,0|a.csv: has no label above 0",
        "''|a.csv: has no samples",
        "a,b|a.csv: has no samples",
      })
  void brokenCsv(String lines, String message) throws IOException {
    write("a.csv", List.of(lines.split(";", -1)));
    write("a.test.csv", List.of("1,2,1"));
    // If labels do not matter, two classes are given, so that there is only one mistake.
    rejects(
        message.contains("above") && !message.contains("lines")
            ? location("a.csv")
            : location("a.csv").withClasses(2),
        message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 1:1;1 0:1|a.svm:2: index 0: must be 1 to",
        "0 1:1;1 4:1|a.svm: up to 4 features; must be 3",
        "0 1:1;1 2000000000:1|a.svm:2: index 2000000000: must be 1 to 16777216",
        "0 1:1;1 99999999999:1|a.svm:2: '99999999999:1': the index is not a whole number",
        "0 2:1 1:1|a.svm:1: index 1 after 2: indices must ascend",
        "0 2:1 2:1|a.svm:1: index 2 occurs twice",
        "0 1:nan|a.svm:1: 'nan' is not a number",
        "0 1:NaN|a.svm:1: 'NaN' is not a number",
        "0 1|a.svm:1: '1': must be index:value",
        "0 1:|a.svm:1: '' is not a number",
        "x 1:1|a.svm:1: 'x' is not a number",
        "-1 1:1;0 1:1|a.svm:2: label 0 in a file with -1",
        "0 1:1;2 1:1|a.svm:2: label 2: 0 to 1",
        "0 1:1;-2 1:1|a.svm:2: label -2: 0 to 1",
        "# nothing|a.svm: has no samples",
      })
  void brokenLibSvm(String lines, String message) throws IOException {
    write("a.svm", List.of(lines.split(";", -1)));
    write("a.test.svm", List.of("1 1:1"));
    rejects(location("a.svm").withClasses(2).withFeatures(3), message);
  }

  @Test
  void brokenTestFiles() throws IOException {
    write("a.csv", List.of("1,2,0", "1,2,1"));
    write("a.test.csv", List.of("1,2,0", "1,2,2"));
    rejects(location("a.csv"), "a.test.csv:2: label 2: 0 to 1 are the labels of 2 classes");
    write("a.test.csv", List.of("1,0"));
    rejects(location("a.csv"), "a.test.csv:1: 2 columns: 3 as in the training rows are needed");
  }

  @Test
  void aFileTooSmallToSplit() throws IOException {
    write("a.csv", List.of("1,2,0", "1,2,1"));
    rejects(location("a.csv"), "2 rows; needs 10");
  }

  @Test
  void tooManyNumbersForMemory() throws IOException {
    write("a.svm", IntStream.range(0, 64).mapToObj(i -> i % 2 + " 16777216:1").toList());
    rejects(location("a.svm"), "16777216 features");
  }

  @Test
  void linesHaveALimit() throws IOException {
    write("a.svm", List.of("0 1:1", "1 2:" + "1".repeat(NumberedLines.MAX_LINE_LENGTH)));
    write("a.test.svm", List.of("1 1:1"));
    rejects(location("a.svm"), "a.svm:2: more than 16777216 characters in a line");
    write("a.csv", List.of("1,0", "1".repeat(NumberedLines.MAX_LINE_LENGTH) + ",1"));
    rejects(location("a.csv"), "a.csv: after line 1: more than 65536 characters in a cell");
  }

  @Test
  void gzipMayNotGrowWithoutBounds() throws IOException {
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.csv.gz")))) {
      byte[] blankLine = " ".repeat(60_000).concat("\n").getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i <= (64 << 20) / blankLine.length; i++) {
        out.write(blankLine);
      }
    }
    rejects(location("a.csv.gz"), "a.csv.gz: unzips to more than 67108864 bytes from");
    Files.copy(folder.resolve("a.csv.gz"), folder.resolve("a.svm.gz"));
    rejects(location("a.svm.gz"), "a.svm.gz: unzips to more than 67108864 bytes from");
  }

  @Test
  void onlyUtf8IsText() throws IOException {
    Files.write(folder.resolve("a.csv"), "köln,1\n".getBytes(StandardCharsets.ISO_8859_1));
    rejects(location("a.csv"), "a.csv: not UTF-8");
    Files.write(folder.resolve("a.svm"), "1 1:1 # köln\n".getBytes(StandardCharsets.ISO_8859_1));
    rejects(location("a.svm"), "a.svm:1: not UTF-8");
  }

  @Test
  void signsKeepTheirNames() throws IOException {
    write("a.svm", List.of("-1 1:1", "+1 1:2"));
    write("a.test.svm", List.of("+1 1:1"));
    DataLocation found = location("a.svm").check().location();
    assertThat(found.classNames()).containsExactly("-1", "1");
    assertThat(found.openTrain().label(0)).isZero();
    assertThat(found.openTest().label(0)).isEqualTo(1);
    assertThat(found.openAll().size()).isEqualTo(2);
  }

  @Test
  void whetherMostFeaturesAre0_isSaid() throws IOException {
    write("sparse.svm", List.of("0 1:1 9:1", "1 9:2"));
    write("sparse.test.svm", List.of("0 1:1"));
    write("dense.csv", List.of("1,2,0,0", "3,0,1,1"));
    write("dense.test.csv", List.of("1,2,0,0"));
    assertThat(location("sparse.svm").check().isSparse()).isTrue();
    assertThat(location("dense.csv").check().isSparse()).isFalse();
  }

  @Test
  void anUnknownFormat() throws IOException {
    write("a.txt", List.of("1,2"));
    rejects(location("a.txt"), "the format is not clear from the name");
  }

  private static void holds(DataLocation location, Shape shape, int trainSamples, int testSamples) {
    DataLocation.Contents contents = location.check();
    assertThat(contents.shape()).isEqualTo(shape);
    assertThat(contents.train().samples()).isEqualTo(trainSamples);
    assertThat(contents.test().samples()).isEqualTo(testSamples);
  }
}
