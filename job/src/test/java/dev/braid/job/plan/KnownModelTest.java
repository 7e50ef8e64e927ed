package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.CommandRun;
import dev.braid.job.TrainedTable;
import dev.braid.job.TrainingGraph;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.UsageException;
import dev.braid.learner.Samples;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code train --model saved.zip} with data that fits the model, or does not. */
class KnownModelTest {

  private static final TableOptions STANDARDIZED = new TableOptions("", List.of(), List.of(), true);

  @TempDir private Path folder;

  @Test
  void aCategoryThatTheModelDoesNotKnowIsRefused() throws IOException {
    String model = flowers(TableOptions.DEFAULT);
    refused(
        List.of(
            "--model",
            model,
            "--data",
            write("more.csv", "colour,size,kind", "red,1,left", "teal,2,right")),
        "more.csv",
        "column 1 (colour)",
        "'teal' in line 3",
        "without --model");
    String known = write("known.csv", "colour,size,kind", "red,1,left", "blue,2,right");
    assertThat(plan("--model", model, "--data", known).warnings()).isEmpty();
  }

  /** Such texts count as no category, as elsewhere; the run must report them. */
  @Test
  void aCategoryThatOnlyTestRowsHaveIsNamed() throws IOException {
    String model = flowers(TableOptions.DEFAULT);
    String data = write("more.csv", "colour,size,kind", "red,1,left", "blue,2,right");
    write("more.test.csv", "colour,size,kind", "teal,1,left", "blue,2,right");
    assertThat(plan("--model", model, "--data", data).warnings())
        .singleElement()
        .asString()
        .contains("'teal' in line 2");
    assertThat(plan("--model", "logistic", "--data", data).warnings())
        .anyMatch(warning -> warning.contains("'teal' in line 2"));
  }

  /** Classes are matched by name instead of by the order in which they occur. */
  @Test
  void someOfTheModelsClassesAreTheModelsClasses() throws IOException {
    String model = flowers(TableOptions.DEFAULT);
    String data = write("more.csv", "colour,size,kind", "red,1,right", "blue,2,right");
    RunPlan plan = plan("--model", model, "--data", data);
    assertThat(plan.describeData()).endsWith("samples of class left: 0, right: 2");
    assertThat(plan.notes()).anyMatch(note -> note.contains("no training sample of class left"));
    assertThat(plan.warnings())
        .anyMatch(warning -> warning.contains("right") && warning.contains("test"));
    refused(
        List.of("--model", model, "--data", write("up.csv", "colour,size,kind", "red,1,up")),
        "up.csv",
        "label up",
        "left, right");
  }

  /** A list of names would rename the outputs in the order of the list. */
  @Test
  void outputsAreNotRenamed() throws IOException {
    String model = plainNumbers();
    String data = write("more.svm", "0 1:1 2:5", "1 1:2");
    for (String classes : List.of("right,left", "a,b", "2", "3")) {
      refused(
          List.of(
              "--model", model, "--data", "{place: %s, classes: '%s'}".formatted(data, classes)),
          "classes " + classes,
          "left, right");
    }
    refused(List.of("--model", model, "--data", data), "more.svm:1", "label 0", "left, right");
  }

  @Test
  void scalesOfTheModelAreKept() throws IOException {
    String model = flowers(STANDARDIZED);
    double scaled = feature(folder.resolve("train.csv"), model);
    String data = write("more.csv", "colour,size,kind", "red,0,left", "blue,1000,right");
    assertThat(feature(Path.of(data), model)).isEqualTo(scaled);
  }

  private double feature(Path data, String model) {
    Samples samples =
        KnownModel.data(TrainingGraph.options("--data", data.toString(), "--model", model))
            .openTrain();
    float[] features = new float[samples.shape().features()];
    samples.copyFeatures(0, features, 0);
    assertThat(features).hasSize(3);
    return features[2];
  }

  /** Its numbers would neither be scaled nor be categories. */
  @Test
  void rowsWithoutTheModelsColumnsAreRefusedEverywhere() throws IOException {
    String model = flowers(STANDARDIZED);
    String data = write("more.svm", "0 1:1 3:5", "1 2:1");
    refused(List.of("--model", model, "--data", data), "more.svm", "LibSVM");
    CommandRun.of("evaluate", "--model", model, "--data", data).assertMistake("LibSVM");
    CommandRun.of("predict", "--model", model, "--format", "libsvm", data).assertMistake("LibSVM");
    String plain = plainNumbers();
    String numbers = write("some.svm", "1 1:1 2:5");
    CommandRun predicted =
        CommandRun.of("predict", "--model", plain, "--format", "libsvm", numbers);
    assertThat(predicted.exitCode()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void imagesOfOtherSidesAndRowsAreRefused() throws IOException {
    Path images = folder.resolve("images");
    images(images, 4, 2);
    DataLocation.Contents contents = DataLocation.of(images.toString()).check();
    String model = TrainedTable.save(folder, contents, sgd(), new float[0], new float[0][]);
    assertThat(plan("--model", model, "--data", images.toString()).warnings()).isEmpty();
    Path turned = folder.resolve("turned");
    images(turned, 2, 4);
    refused(List.of("--model", model, "--data", turned.toString()), "turned", "1x4x2", "1x2x4");
    String rows = write("pixels.csv", "0,0,0,0,0,0,0,255,zero", "255,0,0,0,0,0,0,0,one");
    refused(List.of("--model", model, "--data", rows), "pixels.csv", "images");
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      numbers.add("1,2,3,4,5,6,7," + i + (i % 2 == 0 ? ",zero" : ",one"));
    }
    String ofRows = TrainedTable.save(folder, TableOptions.DEFAULT, new float[0], numbers);
    refused(List.of("--model", ofRows, "--data", images.toString()), "images", "rows");
    CommandRun.of("evaluate", "--model", ofRows, "--data", images.toString())
        .assertMistake("images");
  }

  @Test
  void aModelWithoutItsOptimisersStateSaysSo() throws IOException {
    DataLocation.Contents contents = contents();
    UpdaterSpec momentum = UpdaterSpec.of("momentum", OptionalDouble.of(0.1));
    String data = folder.resolve("train.csv").toString();
    String without = TrainedTable.save(folder, contents, momentum, new float[0], new float[0][]);
    assertThat(plan("--model", without, "--data", data).notes())
        .singleElement()
        .asString()
        .contains("model.zip")
        .contains("momentum");
    assertThat(plan("--model", without, "--data", data, "--updater", "sgd").notes()).isEmpty();
    String with = TrainedTable.save(folder, contents, momentum, new float[0], new float[1][8]);
    assertThat(plan("--model", with, "--data", data).notes()).isEmpty();
    assertThat(plan("--model", with, "--data", data, "--updater", "adam").notes())
        .singleElement()
        .asString()
        .contains("momentum")
        .contains("adam");
    assertThat(plan("--model", "logistic", "--data", data).notes()).isEmpty();
  }

  @Test
  void aModelWithoutItsCardSaysWhatItIsTakenFor() throws IOException {
    String model = flowers(TableOptions.DEFAULT);
    Files.delete(folder.resolve("model.json"));
    assertThat(plan("--model", model, "--data", folder.resolve("train.csv").toString()).warnings())
        .singleElement()
        .asString()
        .contains("model.json")
        .contains("left, right");
  }

  private DataLocation.Contents contents() throws IOException {
    flowers(TableOptions.DEFAULT);
    return DataLocation.of(folder.resolve("train.csv").toString()).check();
  }

  private static UpdaterSpec sgd() {
    return UpdaterSpec.of("sgd", OptionalDouble.of(0.1));
  }

  private String flowers(TableOptions options) throws IOException {
    List<String> rows = new ArrayList<>(List.of("colour,size,kind"));
    for (int i = 0; i < 40; i++) {
      rows.add((i % 2 == 0 ? "red" : "blue") + "," + i + "," + (i < 20 ? "left" : "right"));
    }
    return TrainedTable.save(folder, options, new float[0], rows);
  }

  private String plainNumbers() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add("%d,%d,%s".formatted(i % 2, i, i < 20 ? "left" : "right"));
    }
    return TrainedTable.save(folder, TableOptions.DEFAULT, new float[0], rows);
  }

  private static void images(Path folder, int width, int height) throws IOException {
    for (String kind : List.of("zero", "one")) {
      for (String part : List.of("train", "test")) {
        Path files = Files.createDirectories(folder.resolve(part).resolve(kind));
        for (int i = 0; i < 10; i++) {
          BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
          image.getRaster().setSample(0, 0, 0, i);
          ImageIO.write(image, "png", files.resolve(i + ".png").toFile());
        }
      }
    }
  }

  /** Writes rows, and a test file with the same rows. */
  private String write(String name, String... lines) throws IOException {
    Files.write(folder.resolve(name.replace(".", ".test.")), List.of(lines));
    return Files.write(folder.resolve(name), List.of(lines)).toString();
  }

  private static RunPlan plan(String... words) {
    return RunPlan.of(
        TrainingGraph.options(
            Stream.concat(Stream.of("--workers=1", "--batch=1"), Arrays.stream(words))
                .toArray(String[]::new)));
  }

  private static void refused(List<String> words, String... parts) {
    assertThatThrownBy(() -> plan(words.toArray(String[]::new)))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(parts)
        .satisfies(mistake -> assertThat(mistake.getMessage()).hasLineCount(1));
  }
}
