package dev.braid.worker;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.state.StateFormat;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.vector.Range;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * The configuration of every worker of a run.
 *
 * @param exchange the algorithm that combines gradients
 * @param options the user's options of the exchange
 * @param chunkLength maximum number of values in a message; less if network buffers hold less
 * @param model creates the model in the worker's process
 * @param testSet opens the test set in the worker's process
 * @param stopping rule that decides when training may stop before the last epoch
 * @param epochModels whether the model at the end of each epoch is reported even without a test set
 */
public record WorkerConfig(
    ExchangeType exchange,
    ExchangeOptions options,
    int chunkLength,
    ModelSource model,
    TestSet testSet,
    StoppingRule stopping,
    boolean epochModels)
    implements Serializable {

  /** Creates a configuration that reports the models of epochs only if there is a test set. */
  public WorkerConfig(
      ExchangeType exchange,
      ExchangeOptions options,
      int chunkLength,
      ModelSource model,
      TestSet testSet,
      StoppingRule stopping) {
    this(exchange, options, chunkLength, model, testSet, stopping, false);
  }

  /** Returns this configuration, with the model of each epoch or window reported. */
  public WorkerConfig withEpochModels() {
    return new WorkerConfig(exchange, options, chunkLength, model, testSet, stopping, true);
  }

  /** Names of classes, one for each library that every process of a cluster needs. */
  public static final List<String> LIBRARIES =
      List.of("org.nd4j.linalg.factory.Nd4j", "org.deeplearning4j.nn.conf.MultiLayerConfiguration");

  /** Number of batches by which the source may be ahead of the trainer. */
  static final int PREFETCHED_BATCHES = 2;

  /** Returns the format of the state that the workers' exchange writes into a checkpoint. */
  public StateFormat stateFormat() {
    return exchange.stateFormat(options);
  }

  /** Creates a model in the worker's process. */
  public interface ModelSource extends Serializable {

    /** Creates a learner for the calling thread. */
    Learner learner() throws IOException;

    /**
     * Creates the optimiser.
     *
     * @param pace number of its steps in an epoch, and the step and epoch at which it begins
     */
    Updater updater(Pace pace);

    /** Returns the number of the optimiser's steps in an epoch with this number of workers. */
    long stepsPerEpoch(int workers);

    /**
     * Returns the optimiser's initial state: as many vectors as it keeps, each {@code
     * float[length]}.
     */
    float[][] initialUpdaterState(int length);

    /** Returns the number of steps that the optimiser has taken to reach the initial state. */
    long initialSteps();

    /**
     * Returns the ranges of the vector that are running statistics: no compression may hold back
     * parts of their gradients.
     */
    default List<Range> statistics() {
      return List.of();
    }

    /**
     * Returns the optimiser's settings in words; optimisers with other settings have other words.
     */
    default String describeOptimiser() {
      return "";
    }
  }

  /** Opens the test set in the worker's process. */
  @FunctionalInterface
  public interface TestSet extends Serializable {
    Samples open() throws IOException;
  }
}
