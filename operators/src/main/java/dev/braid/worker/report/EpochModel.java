package dev.braid.worker.report;

import dev.braid.worker.report.Reports.ModelPart;
import java.util.ArrayList;
import java.util.List;

/** The weights after an epoch, as the parts come in that ranks report of them. */
public final class EpochModel {

  private final List<ModelPart> parts = new ArrayList<>();

  /** Adds a part; one that has come before, as after a failure, takes its place. */
  public void add(ModelPart part) {
    parts.removeIf(old -> old.start() == part.start());
    parts.add(part);
  }

  public List<ModelPart> parts() {
    return List.copyOf(parts);
  }

  /** Whether all parts are here. */
  public boolean isWhole() {
    int values = parts.stream().mapToInt(part -> part.values().length).sum();
    return !parts.isEmpty() && values == parts.get(0).length();
  }

  /** The weights, of a model that is whole. */
  public float[] weights() {
    float[] weights = new float[parts.get(0).length()];
    for (ModelPart part : parts) {
      System.arraycopy(part.values(), 0, weights, part.start(), part.values().length);
    }
    return weights;
  }
}
