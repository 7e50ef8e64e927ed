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
 * What every worker of a run is told.
 *
 * @param exchange how gradients are shared
 * @param options what the user has chosen of that
 * @param chunkLength values that a message carries at most; fewer where network buffers hold less
 * @param model makes the model where the worker runs
 * @param testSet opens the test set there
 * @param stopping when training may stop before the last epoch
 * @param epochModels whether the model at the end of each epoch is reported also where there is no
 *     test set
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

  /** Creates a configuration in which models are only reported where they can be compared. */
  public WorkerConfig(
      ExchangeType exchange,
      ExchangeOptions options,
      int chunkLength,
      ModelSource model,
      TestSet testSet,
      StoppingRule stopping) {
    this(exchange, options, chunkLength, model, testSet, stopping, false);
  }

  /** Returns the same with the model of each epoch or window reported. */
  public WorkerConfig withEpochModels() {
    return new WorkerConfig(exchange, options, chunkLength, model, testSet, stopping, true);
  }

  /** A class of each library that every process of a cluster has to have, by its name. */
  public static final List<String> LIBRARIES =
      List.of("org.nd4j.linalg.factory.Nd4j", "org.deeplearning4j.nn.conf.MultiLayerConfiguration");

  /** Batches that the source may be ahead of the trainer. */
  static final int PREFETCHED_BATCHES = 2;

  /** Whose state the workers' exchange writes into a checkpoint. */
  public StateFormat stateFormat() {
    return exchange.stateFormat(options);
  }

  /** Makes a model where the worker runs. */
  public interface ModelSource extends Serializable {

    /** A learner for the thread that asks. */
    Learner learner() throws IOException;

    /**
     * The optimiser.
     *
     * @param pace how its steps go into epochs
     */
    Updater updater(Pace pace);

    /** How many steps of the optimiser an epoch has with so many workers. */
    long stepsPerEpoch(int workers);

    /** The optimiser's state to begin with: as many vectors as it keeps, of this length. */
    float[][] initialUpdaterState(int length);

    /** How many steps the optimiser has taken to get there. */
    long initialSteps();

    /** Parts of the vector that are running statistics: of their gradients nothing may wait. */
    default List<Range> statistics() {
      return List.of();
    }

    /** The optimiser's settings in words, which tell one from another. */
    default String describeOptimiser() {
      return "";
    }
  }

  /** Opens the test set where the worker runs. */
  @FunctionalInterface
  public interface TestSet extends Serializable {
    Samples open() throws IOException;
  }
}
