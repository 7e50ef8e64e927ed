package dev.braid.run.report.reported;

import dev.braid.worker.report.Reports.ModelPart;
import java.util.ArrayList;
import java.util.List;

/**
 * The final model, assembled from its parts. A worker that was restored from before it sent a part
 * sends the part again. The new part replaces all parts that it overlaps: one or several of them,
 * of the same or other ranges, since other ranks may serve other ranges than before.
 */
public final class AssembledModel {

  private final List<ModelPart> parts = new ArrayList<>();

  void add(ModelPart part) {
    parts.removeIf(old -> overlap(old, part));
    parts.add(part);
  }

  private static boolean overlap(ModelPart one, ModelPart other) {
    return one.vector() == other.vector()
        && one.start() < other.start() + other.values().length
        && other.start() < one.start() + one.values().length;
  }

  public List<ModelPart> parts() {
    return List.copyOf(parts);
  }

  public long steps() {
    return parts.stream().mapToLong(ModelPart::steps).max().orElse(0);
  }

  /** Returns the weights, followed by the updater's state. */
  public float[][] vectors() {
    if (parts.isEmpty()) {
      throw new IllegalStateException("no worker sent the final model");
    }
    ModelPart first = parts.get(0);
    float[][] vectors = new float[first.vectors()][first.length()];
    long filled = 0;
    for (ModelPart part : parts) {
      System.arraycopy(
          part.values(), 0, vectors[part.vector()], part.start(), part.values().length);
      filled += part.values().length;
    }
    long expected = (long) first.vectors() * first.length();
    if (filled != expected) {
      throw new IllegalStateException(
          "the final model came with " + filled + " of " + expected + " values");
    }
    return vectors;
  }
}
