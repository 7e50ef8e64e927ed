package dev.braid.run.training;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.PartwiseLearner;
import dev.braid.learner.network.RunningScales;
import dev.braid.learner.network.StandardizingLearner;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import dev.braid.worker.WorkerConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Model specification for the workers.
 *
 * @param math kernels with which they compute
 * @param standardized which of a sample's numbers are standardized by running statistics
 */
public record TrainedModel(
    ModelSpec model,
    Shape shape,
    Optimiser optimiser,
    EpochSteps epochSteps,
    MathChoice math,
    List<Range> standardized)
    implements WorkerConfig.ModelSource {

  private static final int SHOWN_WEIGHTS = 12;

  /** Creates a model that takes samples as they are. */
  public TrainedModel(
      ModelSpec model, Shape shape, Optimiser optimiser, EpochSteps epochSteps, MathChoice math) {
    this(model, shape, optimiser, epochSteps, math, List.of());
  }

  /**
   * Returns the same model with running statistics among its parameters.
   *
   * @param features which of a sample's numbers are standardized by them; none to return this model
   */
  public TrainedModel standardizing(List<Range> features) {
    if (features.isEmpty()) {
      return this;
    }
    Range statistics = new RunningScales(model.length(), features).statistics();
    return new TrainedModel(
        model, shape, optimiser.following(statistics), epochSteps, math, List.copyOf(features));
  }

  /** Returns the number of parameters, including the running statistics. */
  public int length() {
    return scales().map(RunningScales::length).orElseGet(model::length);
  }

  /** Returns the running statistics, if samples are standardized by them. */
  public Optional<RunningScales> scales() {
    return standardized.isEmpty()
        ? Optional.empty()
        : Optional.of(new RunningScales(model.length(), standardized));
  }

  @Override
  public Learner learner() {
    try {
      math.require();
    } catch (IllegalStateException e) {
      // A restart of the job would fail in the same way.
      throw new SuppressRestartsException(e);
    }
    Learner plain = Learners.create(model, shape);
    Learner learner =
        scales().<Learner>map(it -> new StandardizingLearner(plain, it)).orElse(plain);
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

  /**
   * Describes the weights. With thousands of classes, a hash stands for those that are not shown,
   * so that different weights have different descriptions.
   */
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
