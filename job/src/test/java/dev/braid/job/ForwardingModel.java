package dev.braid.job;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.io.IOException;

/** Model that delegates to another one; tests override individual methods. */
interface ForwardingModel extends ModelSource {

  /** Returns the other model. */
  ModelSource model();

  @Override
  default Learner learner() throws IOException {
    return model().learner();
  }

  @Override
  default Updater updater(Pace pace) {
    return model().updater(pace);
  }

  @Override
  default long stepsPerEpoch(int workers) {
    return model().stepsPerEpoch(workers);
  }

  @Override
  default float[][] initialUpdaterState(int length) {
    return model().initialUpdaterState(length);
  }

  @Override
  default long initialSteps() {
    return model().initialSteps();
  }

  /** Learner that delegates to another one; tests override individual methods. */
  interface ForwardingLearner extends Learner {

    /** Returns the other learner. */
    Learner learner();

    @Override
    default int length() {
      return learner().length();
    }

    @Override
    default void initialWeights(float[] weights) {
      learner().initialWeights(weights);
    }

    @Override
    default double gradient(float[] weights, Batch batch, float[] gradient) {
      return learner().gradient(weights, batch, gradient);
    }

    @Override
    default Score evaluate(float[] weights, Batch batch) {
      return learner().evaluate(weights, batch);
    }

    @Override
    default void close() {
      learner().close();
    }
  }
}
