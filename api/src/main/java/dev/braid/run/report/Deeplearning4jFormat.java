package dev.braid.run.report;

import dev.braid.connectors.ModelFiles;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.RunningScales;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.OnnxModel;
import dev.braid.run.training.TrainingPlan;
import dev.braid.vector.Range;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Format of models that Deeplearning4j saves. Such a model has no running statistics of features;
 * its card has them.
 *
 * @param standardized which of a sample's numbers are standardized by running statistics
 */
public record Deeplearning4jFormat(ModelSpec model, UpdaterSpec updater, List<Range> standardized)
    implements ModelFormat {

  /** Returns the format of a training's model. */
  public static Deeplearning4jFormat of(TrainingPlan plan) {
    return new Deeplearning4jFormat(
        plan.trained().model(), plan.updater(), plan.trained().standardized());
  }

  @Override
  public String nativeLibrary() {
    return NativeMath.describe();
  }

  @Override
  public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
      throws IOException {
    float[][] itsState = Arrays.stream(updaterState).map(this::ofModel).toArray(float[][]::new);
    ModelFiles.write(out, model, ofModel(weights), itsState, steps, updater);
  }

  private float[] ofModel(float[] vector) {
    return standardized.isEmpty() ? vector : Arrays.copyOf(vector, model.length());
  }

  @Override
  public String card(String card, float[] weights) {
    return standardized.isEmpty()
        ? card
        : ModelCard.of(card)
            .scaledBy(new RunningScales(model.length(), standardized).scales(weights))
            .toJson();
  }

  @Override
  public Optional<byte[]> onnx(String card, float[] weights) {
    try {
      ModelSpec trained = model.with(ofModel(weights), new float[0][], 0);
      return Optional.of(OnnxModel.of(trained, ModelCard.of(card)).bytes());
    } catch (InvalidModelException e) {
      // ONNX has no operators for some layers and columns.
      return Optional.empty();
    }
  }
}
