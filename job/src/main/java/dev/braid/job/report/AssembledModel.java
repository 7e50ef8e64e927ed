package dev.braid.job.report;

import dev.braid.worker.Reports.ModelPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The final model as its parts come in. A part may come again, from a worker that was restored to
 * before it sent it, and then takes the place of the first one, which it equals.
 */
final class AssembledModel {

  /** Where a part belongs. */
  private record Place(int vector, int start) {}

  private final Map<Place, ModelPart> parts = new LinkedHashMap<>();

  void add(ModelPart part) {
    parts.put(new Place(part.vector(), part.start()), part);
  }

  List<ModelPart> parts() {
    return List.copyOf(parts.values());
  }

  long steps() {
    return parts.values().stream().mapToLong(ModelPart::steps).max().orElse(0);
  }

  /** The weights, then the updater's state. */
  float[][] vectors() {
    if (parts.isEmpty()) {
      throw new IllegalStateException("no worker sent the final model");
    }
    ModelPart first = parts.values().iterator().next();
    float[][] vectors = new float[first.vectors()][first.length()];
    long filled = 0;
    for (ModelPart part : parts.values()) {
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
