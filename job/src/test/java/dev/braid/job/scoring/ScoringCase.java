package dev.braid.job.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.Main;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.train.TrainArguments;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** Models with known answers, and the commands that score with them. */
abstract class ScoringCase {

  /**
   * Weights with which the softmax receives the inputs, scaled by four: the greatest number
   * determines the class.
   */
  static final float[] GREATEST = {4, 0, 0, 4, 0, 0};

  static final UpdaterSpec SGD = UpdaterSpec.of("sgd", OptionalDouble.empty());

  @TempDir Path folder;

  record Result(int exitCode, String out, String err) {}

  String saveTableModel(boolean standardized) throws IOException {
    List<String> rows = new ArrayList<>(List.of("a,b,kind"));
    IntStream.range(0, 30)
        .mapToObj(i -> i + "," + (30 - i) % 7 + "," + (i < 15 ? "left" : "right"))
        .forEach(rows::add);
    Path data = write("train.csv", rows.toArray(String[]::new));
    DataLocation.Contents contents =
        DataLocation.of(data.toString())
            .withTable(new TableOptions("", List.of(), List.of(), standardized))
            .check();
    save(ModelCard.of("logistic", contents.location(), contents.shape()), GREATEST);
    return folder.resolve("model.zip").toString();
  }

  String saveImageModel() throws IOException {
    Shape shape = new Shape(1, 2, 2, 2);
    DataLocation images = DataLocation.of(folder.toString()).withClassNames(List.of("zero", "one"));
    // The third pixel, 102 of 255, has weight 1 for one class.
    save(ModelCard.of("logistic", images, shape), new float[] {0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
    return folder.resolve("model.zip").toString();
  }

  void save(ModelCard card, float[] weights) throws IOException {
    ModelSpec model = Models.of("logistic", card.shape(), 1);
    try (Learner learner = Learners.create(model, card.shape())) {
      assertThat(learner.length()).isEqualTo(weights.length);
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("model.zip"))) {
      ModelFiles.write(out, model, weights, new float[0][], 1, SGD);
    }
    Files.writeString(folder.resolve("model.json"), card.toJson());
    assertThat(ModelCard.beside(folder.resolve("model.zip"))).isEqualTo(card);
  }

  void mistakes(String model, String file, String message) {
    Result result = predict(model, file);
    assertThat(result.err()).startsWith("braid: ").contains(message).hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.out()).isEmpty();
  }

  Result predict(String model, String file) {
    return run("predict", "--strict", "--model", model, folder.resolve(file).toString());
  }

  static TrainOptions options(String... words) {
    return TrainArguments.of(List.of(words), terminal()).options();
  }

  static Terminal terminal() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return new Terminal(nowhere, false, false, () -> 80);
  }

  static Result run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(terminal())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Result(code, out.toString(), err.toString());
  }

  Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }
}
