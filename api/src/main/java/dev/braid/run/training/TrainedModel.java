package dev.braid.run.training;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.PartwiseLearner;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import dev.braid.worker.WorkerConfig;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A model specification as workers take it.
 *
 * @param math with which kernels they compute
 */
public record TrainedModel(
    ModelSpec model, Shape shape, Optimiser optimiser, EpochSteps epochSteps, MathChoice math)
    implements WorkerConfig.ModelSource {

  private static final int SHOWN_WEIGHTS = 12;

  @Override
  public Learner learner() {
    try {
      math.require();
    } catch (IllegalStateException e) {
      // It would be the same again after a restart of the job.
      throw new SuppressRestartsException(e);
    }
    Learner learner = Learners.create(model, shape);
    return epochSteps.isFullBatch() ? new PartwiseLearner(learner) : learner;
  }

  @Override
  public Updater updater(Pace pace) {
    return optimiser.create(pace);
  }

  @Override
  public long stepsPerEpoch(int workers) {
    return epochSteps.of(workers);
  }

  @Override
  public float[][] initialUpdaterState(int length) {
    return model.initialState(optimiser.updater(), length);
  }

  @Override
  public long initialSteps() {
    return model.initialSteps(optimiser.updater());
  }

  @Override
  public List<Range> statistics() {
    return optimiser.parameters().statistics();
  }

  @Override
  public String describeOptimiser() {
    double[] weights = model.classWeights();
    return weights.length == 0
        ? optimiser.describe()
        : optimiser.describe() + ", class weights " + words(weights);
  }

  /** Words that differ where weights do; there may be thousands of classes. */
  private static String words(double[] weights) {
    String first =
        Arrays.stream(weights)
            .limit(SHOWN_WEIGHTS)
            .mapToObj(Double::toString)
            .collect(Collectors.joining(" "));
    return weights.length <= SHOWN_WEIGHTS
        ? first
        : first + " … (%08x)".formatted(Arrays.hashCode(weights));
  }
}
