package dev.braid.job.report;

import dev.braid.worker.Reports.ModelPart;
import java.util.ArrayList;
import java.util.List;

/** The final model as its parts come in. */
final class AssembledModel {

  private final List<ModelPart> parts = new ArrayList<>();

  void add(ModelPart part) {
    parts.add(part);
  }

  List<ModelPart> parts() {
    return parts;
  }

  long steps() {
    return parts.isEmpty() ? 0 : parts.get(0).steps();
  }

  /** The weights, then the updater's state. */
  float[][] vectors() {
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
