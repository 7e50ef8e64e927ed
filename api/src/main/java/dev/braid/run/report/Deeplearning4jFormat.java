package dev.braid.run.report;

import dev.braid.connectors.ModelFiles;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.io.IOException;
import java.io.OutputStream;

/** Models as Deeplearning4j saves them. */
public record Deeplearning4jFormat(ModelSpec model, UpdaterSpec updater) implements ModelFormat {

  @Override
  public String nativeLibrary() {
    return NativeMath.describe();
  }

  @Override
  public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
      throws IOException {
    ModelFiles.write(out, model, weights, updaterState, steps, updater);
  }
}
