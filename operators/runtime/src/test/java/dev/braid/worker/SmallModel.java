package dev.braid.worker;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.util.OptionalDouble;

/** Logistic regression, in the same form as in a job. */
record SmallModel(String updater, EpochSchedule schedule) implements ModelSource {

  private static final long serialVersionUID = 1L;

  static final Shape SHAPE = Shape.rows(5, 3);

  /** Number of rounds in an epoch, with four workers. */
  static final int ROUNDS_PER_EPOCH = 3;

  SmallModel(String updater) {
    this(updater, EpochSchedule.CONSTANT);
  }

  private static ModelSpec spec() {
    return ModelSpec.untried("logistic", SHAPE, 3);
  }

  private UpdaterSpec settings() {
    return UpdaterSpec.of(updater, OptionalDouble.empty());
  }

  private Optimiser optimiser() {
    Optimiser constant = Optimiser.of(settings());
    return new Optimiser(
        constant.updater(), schedule, constant.clipping(), constant.parameters(), 0);
  }

  @Override
  public Learner learner() {
    return Learners.create(spec(), SHAPE);
  }

  @Override
  public Updater updater(Pace pace) {
    return optimiser().create(pace);
  }

  @Override
  public long stepsPerEpoch(int workers) {
    return Math.max(1, 4L * ROUNDS_PER_EPOCH / workers);
  }

  @Override
  public float[][] initialUpdaterState(int length) {
    return spec().initialState(settings(), length);
  }

  @Override
  public long initialSteps() {
    return spec().initialSteps(settings());
  }

  @Override
  public String describeOptimiser() {
    return optimiser().describe();
  }
}
