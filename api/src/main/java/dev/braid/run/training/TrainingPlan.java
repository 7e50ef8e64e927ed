package dev.braid.run.training;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.vector.Range;
import dev.braid.worker.WorkerConfig;
import java.util.List;

/**
 * Exchange, model and optimiser of a training that are known to fit each other.
 *
 * @param options options of the exchange, including the codec that it has with the optimiser
 * @param choice chosen settings of the optimiser
 * @param trained model that the workers train
 */
public record TrainingPlan(
    ExchangeType exchange, ExchangeOptions options, OptimiserChoice choice, TrainedModel trained) {

  /**
   * Plans a training.
   *
   * @param chosen exchange, its options and the batch
   * @param samples samples of an epoch, or of a window of a stream
   * @param window rounds of a window of a stream; 0 for a data set
   * @param standardized which of a sample's numbers are standardized by running statistics
   * @throws InvalidTrainingException if they do not fit each other
   * @throws dev.braid.learner.InvalidModelException if a batch is too large for the model
   */
  public static TrainingPlan of(
      TrainingChecks chosen,
      OptimiserChoice choice,
      ModelSpec model,
      Shape shape,
      int samples,
      int window,
      MathChoice math,
      List<Range> standardized) {
    ExchangeType exchange = chosen.exchange();
    ExchangeOptions options =
        chosen
            .options()
            .with(Compression.OPTION, choice.compression(exchange, chosen.options(), model));
    new TrainingChecks(exchange, options, chosen.batch()).requireRounds(model, shape, samples);
    // An asynchronous server takes a step for each worker's gradient.
    boolean stepForEach = exchange.descriptor().hasServers() && !exchange.isSynchronous(options);
    TrainedModel trained =
        new TrainedModel(
                model,
                shape,
                choice.optimiser(exchange, options, model),
                new EpochSteps(samples, chosen.batch(), window, stepForEach),
                math)
            .standardizing(standardized);
    return new TrainingPlan(exchange, options, choice, trained);
  }

  /**
   * Returns the updater of the run. Its momentum may be applied by the workers, and then the
   * optimiser of {@link #trained} has none.
   */
  public UpdaterSpec updater() {
    return choice.updater(trained.model());
  }

  /** Returns whether all replicas must end with the same weights, bit for bit. */
  public boolean isIdentical() {
    // Parameter servers hand the same final model to all workers, however it was computed.
    return exchange.isSynchronous(options) || exchange.descriptor().hasServers();
  }

  /**
   * Returns the configuration of the workers.
   *
   * @param scored samples that epochs are evaluated on
   */
  public WorkerConfig workers(WorkerConfig.TestSet scored, StoppingRule stopping) {
    return new WorkerConfig(
        exchange, options, EnvelopeSerializer.LONGEST_CHUNK, trained, scored, stopping);
  }
}
