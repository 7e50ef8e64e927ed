package dev.braid.run.report.reported;

import dev.braid.worker.report.Reports.ModelPart;
import java.util.ArrayList;
import java.util.List;

/**
 * The final model as its parts come in. A part may come again, from a worker that was restored to
 * before it sent it: it takes the place of those that it overlaps, of which there are several, or
 * only a piece of one, where other ranks serve other ranges than before.
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

  /** The weights, then the updater's state. */
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
