package dev.braid.run.training;

import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.Holdout;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.worker.WorkerConfig;

/** The samples by which epochs are compared. */
public final class ScoredSamples {

  /** Empty set of samples, on which a model is evaluated at the end of a window of a stream. */
  private record NoSamples(Shape shape) implements Samples {

    @Override
    public int size() {
      return 0;
    }

    @Override
    public void copyFeatures(int id, float[] into, int offset) {
      throw new IndexOutOfBoundsException(id);
    }

    @Override
    public int label(int id) {
      throw new IndexOutOfBoundsException(id);
    }
  }

  private ScoredSamples() {}

  /** Returns the samples that are held out of a data set; if none are, its test set. */
  public static WorkerConfig.TestSet of(DataLocation.Contents contents, Holdout holdout) {
    // The location as found, so that workers do not search it for classes and columns again.
    DataLocation found = contents.location();
    DataChecksums checksums = contents.checksums();
    return holdout.held() == 0
        ? () -> checksums.openTest(found)
        : () -> holdout.heldOf(checksums.requireTrain(found.place(), found.openTrain()));
  }

  /** Returns an empty set: a stream has no set that could be scored at the end of a window. */
  public static WorkerConfig.TestSet none(Shape shape) {
    return () -> new NoSamples(shape);
  }
}
