package dev.braid.worker.report;

import dev.braid.worker.report.Reports.ModelPart;
import java.util.ArrayList;
import java.util.List;

/** The weights after an epoch, assembled from the parts that ranks report. */
public final class EpochModel {

  private final List<ModelPart> parts = new ArrayList<>();

  /**
   * Adds a part. It replaces an earlier part at the same start, which arrives again after a
   * failure.
   */
  public void add(ModelPart part) {
    parts.removeIf(old -> old.start() == part.start());
    parts.add(part);
  }

  public List<ModelPart> parts() {
    return List.copyOf(parts);
  }

  /** Returns whether all parts have been added. */
  public boolean isWhole() {
    int values = parts.stream().mapToInt(part -> part.values().length).sum();
    return !parts.isEmpty() && values == parts.get(0).length();
  }

  /** Returns the weights of a complete model, as a new {@code float[length]}. */
  public float[] weights() {
    float[] weights = new float[parts.get(0).length()];
    for (ModelPart part : parts) {
      System.arraycopy(part.values(), 0, weights, part.start(), part.values().length);
    }
    return weights;
  }
}
