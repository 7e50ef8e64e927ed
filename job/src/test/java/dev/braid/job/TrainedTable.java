package dev.braid.job;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.text.TableOptions;
import dev.braid.learner.Learner;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** A table, and a saved model with given weights, as training on the table leaves it. */
public final class TrainedTable {

  private TrainedTable() {}

  /**
   * Writes {@code train.csv}, {@code model.zip} and {@code model.json}.
   *
   * @param weights of the softmax regression, feature after feature, followed by the biases; empty
   *     for initial weights from a seed
   * @return the path of the model
   */
  public static String save(Path folder, TableOptions options, float[] weights, List<String> rows)
      throws IOException {
    Path data = Files.write(folder.resolve("train.csv"), rows);
    DataLocation.Contents contents = DataLocation.of(data.toString()).withTable(options).check();
    UpdaterSpec sgd = UpdaterSpec.of("sgd", OptionalDouble.of(0.1));
    return save(folder, contents, sgd, weights, new float[0][]);
  }

  /** Writes a model of this data, with a state of its optimiser. */
  public static String save(
      Path folder,
      DataLocation.Contents contents,
      UpdaterSpec updater,
      float[] weights,
      float[][] state)
      throws IOException {
    ModelSpec model = Models.of("logistic", contents.shape(), 1);
    Path file = folder.resolve("model.zip");
    try (OutputStream out = Files.newOutputStream(file);
        Learner learner = Learners.create(model, contents.shape())) {
      float[] drawn = new float[learner.length()];
      learner.initialWeights(drawn);
      ModelFiles.write(out, model, weights.length == 0 ? drawn : weights, state, 1, updater);
    }
    Files.writeString(
        folder.resolve("model.json"),
        ModelCard.of("logistic", contents.location(), contents.shape()).toJson());
    return file.toString();
  }
}
