package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.MatrixSamples;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataChecksumsTest extends DataInFolder {

  private static final List<String> TRAIN = List.of("1,2,x", "3,4,y", "5,6,x", "7,8,y");
  private static final List<String> TEST = List.of("1,1,x", "2,2,y");

  private DataChecksums undisturbed;

  @BeforeEach
  void writeTable() throws IOException {
    undisturbed = checksums(TRAIN, TEST);
  }

  @Test
  void doNotDependOnTheFilesForm() throws IOException {
    assertThat(checksums(List.of("1.0,2,x", "3,4e0,y", "5,6,x", "7,8,y"), TEST))
        .isEqualTo(undisturbed);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(Files.readAllBytes(folder.resolve("table.csv")));
    }
    Files.write(folder.resolve("other.csv.gz"), bytes.toByteArray());
    write("other.test.csv", TEST);
    assertThat(location("other.csv.gz").check().checksums()).isEqualTo(undisturbed);
  }

  @Test
  void changeWithASampleAClassAndTheirOrder() throws IOException {
    Set<Integer> train = new HashSet<>(Set.of(undisturbed.train()));
    List<String> swapped = new ArrayList<>(TRAIN);
    Collections.swap(swapped, 0, 2);
    List<List<String>> others =
        List.of(
            swapped,
            List.of("1,2,x", "3,4,y", "5,6,x", "7,9,y"),
            List.of("1,2,x", "3,4,y", "5,6,x", "7,8,x"));
    for (List<String> other : others) {
      DataChecksums found = checksums(other, TEST);
      assertThat(train.add(found.train())).as("%s", other).isTrue();
      assertThat(found.test()).isEqualTo(undisturbed.test());
    }
    DataChecksums otherTest = checksums(TRAIN, List.of("1,1,x", "2,3,y"));
    assertThat(otherTest.train()).isEqualTo(undisturbed.train());
    assertThat(otherTest.test()).isNotEqualTo(undisturbed.test());
  }

  @Test
  void areOfValuesAndShapeAsWell() {
    float[] features = {1, 2, 3, 4};
    Samples classes = new MatrixSamples(features, new int[] {0, 1}, Shape.rows(2, 2));
    Samples otherClasses = new MatrixSamples(features, new int[] {1, 0}, Shape.rows(2, 2));
    Samples moreClasses = new MatrixSamples(features, new int[] {0, 1}, Shape.rows(2, 3));
    Samples values =
        new MatrixSamples(features, new Targets.Values(1, new float[] {0, 1}), Shape.rows(2, 2));
    assertThat(Set.of(classes.checksum(), otherClasses.checksum(), moreClasses.checksum()))
        .hasSize(3)
        .doesNotContain(values.checksum());
  }

  /** These checksums are constants, because MNIST is not read for a check. */
  @Test
  void ofTheDataInTheJarAreKnown() {
    DataLocation mnist = DataLocation.of(DataLocation.MNIST);
    assertThat(mnist.check().checksums())
        .isEqualTo(DataChecksums.of(mnist.openTrain(), mnist.openTest()))
        .isEqualTo(DataChecksums.of(mnist.openEpochs(1), mnist.withClasses(10).openTest()));
  }

  @Test
  void whoReadsOtherDataThanThereWasEndsTheJob() throws IOException {
    DataLocation known = location("table.csv").check().location();
    assertThat(undisturbed.requireTrain("here", known.openTrain()).size()).isEqualTo(4);
    List<String> swapped = new ArrayList<>(TRAIN);
    Collections.swap(swapped, 0, 2);
    write("table.csv", swapped);
    write("table.test.csv", List.of("1,1,x", "2,3,y"));
    assertThatThrownBy(() -> undisturbed.requireTrain("here", known.openTrain()))
        .isInstanceOf(SuppressRestartsException.class)
        .hasCauseInstanceOf(InvalidDataException.class);
    assertThatThrownBy(() -> undisturbed.openTest(known))
        .isInstanceOf(SuppressRestartsException.class)
        .hasCauseInstanceOf(InvalidDataException.class);
  }

  private DataChecksums checksums(List<String> train, List<String> test) throws IOException {
    write("table.csv", train);
    write("table.test.csv", test);
    return location("table.csv").check().checksums();
  }
}
