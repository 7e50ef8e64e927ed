package dev.braid.run.training;

import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeDescriptor.Steps;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The settings of the optimiser that the user chose. Converts them to the optimiser of the workers,
 * or refuses them.
 *
 * @param model the preset or file that the model is from
 * @param updater name of the updater; empty for the model's own
 * @param learningRate learning rate; empty for the updater's usual one
 * @param schedule how the learning rate changes
 * @param clipNorm maximum Euclidean norm of a mean gradient
 * @param clipValue maximum absolute value of its elements
 * @param weightDecay weight decay, which replaces the model's own
 */
public record OptimiserChoice(
    String model,
    Optional<String> updater,
    OptionalDouble learningRate,
    EpochSchedule schedule,
    OptionalDouble clipNorm,
    OptionalDouble clipValue,
    OptionalDouble weightDecay) {

  /** Returns the model with the chosen weight decay instead of its own, if one was chosen. */
  public ModelSpec decaying(ModelSpec spec) {
    return weightDecay.isPresent() ? spec.withWeightDecay(weightDecay.getAsDouble()) : spec;
  }

  /** Returns the codec of an exchange with this optimiser, if none is chosen. */
  public Compression compression(ExchangeType exchange, ExchangeOptions options, ModelSpec spec) {
    float momentum = updater(spec) instanceof UpdaterSpec.Momentum own ? (float) own.momentum() : 0;
    return exchange.descriptor().compression(options, momentum);
  }

  /**
   * Returns the chosen updater, or else the model's own. A learning rate that is not given is that
   * of the model's own updater, if the model is an untrained preset and its updater is of the
   * chosen kind. Otherwise it is the usual one of that kind.
   */
  public UpdaterSpec updater(ModelSpec spec) {
    if (updater.isEmpty()) {
      UpdaterSpec own = spec.updater();
      return learningRate.isPresent() ? own.withLearningRate(learningRate.getAsDouble()) : own;
    }
    String name = UpdaterNames.withoutDecay(updater.get());
    boolean preset = spec.weights().length == 0 && ModelSpec.isPreset(model);
    double usual =
        preset && spec.updater().title().equals(name)
            ? spec.updater().learningRate()
            : UpdaterNames.learningRate(name);
    return UpdaterSpec.of(name, OptionalDouble.of(learningRate.orElse(usual)));
  }

  /**
   * Returns the optimiser of a run.
   *
   * @throws InvalidTrainingException if the exchange cannot apply it
   */
  public Optimiser optimiser(ExchangeType exchange, ExchangeOptions options, ModelSpec spec) {
    UpdaterSpec chosen = updater(spec);
    checkUpdater(exchange, options, chosen);
    Steps steps = exchange.descriptor().steps(options);
    checkClipping(exchange, steps);
    int batchOfEach = steps == Steps.OF_EACH_GRADIENT ? options.batch() : 0;
    return new Optimiser(
        behindTheSum(exchange, options, chosen),
        schedule,
        clipping(),
        spec.parameters(),
        batchOfEach);
  }

  /** Returns how gradients are clipped. */
  private Clipping clipping() {
    if (clipNorm.isPresent()) {
      return new Clipping.ByNorm(clipNorm.getAsDouble());
    }
    return clipValue.isPresent() ? new Clipping.ByValue(clipValue.getAsDouble()) : Clipping.NONE;
  }

  /**
   * Refuses adaptive updaters if each worker's gradient, or each part of it, makes a step. Steps of
   * Adam and its relatives are as long for a small gradient as for a large one, so these steps
   * would add up to many times the learning rate.
   */
  private static void checkUpdater(
      ExchangeType exchange, ExchangeOptions options, UpdaterSpec chosen) {
    if (!exchange.isSynchronous(options) && chosen.isAdaptive()) {
      throw new InvalidTrainingException(
          "updater",
          chosen.title()
              + ": {exchange} "
              + exchange.title()
              + " applies gradients one by one, and its steps would not add up: use sgd or "
              + "momentum");
    }
  }

  /**
   * Refuses clipping by norm if steps are not of the whole sum. The norm is that of the whole
   * summed gradient, which is not available where the sum is applied in parts.
   */
  private void checkClipping(ExchangeType exchange, Steps steps) {
    if (steps != Steps.OF_THE_SUM && clipNorm.isPresent()) {
      throw new InvalidTrainingException(
          "clip",
          "norm:%s: with {exchange} %s gradients are applied in parts, of which none has the norm of all; {clip} value:LIMIT, or ring or mesh without sharded=on, tree, ft-tree, averaging, gossip or coded, is needed"
              .formatted(UpdaterSpec.plain(clipNorm.getAsDouble()), exchange.title()));
    }
  }

  /**
   * Returns the updater of the summed gradient. If each worker applies the momentum before it
   * compresses its gradients, the updater has no momentum of its own.
   */
  private static UpdaterSpec behindTheSum(
      ExchangeType exchange, ExchangeOptions options, UpdaterSpec updater) {
    ExchangeDescriptor descriptor = exchange.descriptor();
    Compression chosen = descriptor.compression(options);
    if (!(chosen instanceof Compression.Corrected corrected)) {
      return updater;
    }
    if (updater instanceof UpdaterSpec.Momentum own
        && (float) own.momentum() == corrected.momentum()) {
      return new UpdaterSpec.Sgd(own.learningRate());
    }
    throw new InvalidTrainingException(
        "exchange",
        "%s: %s: gradients are compressed with a momentum of %s; {updater} momentum is needed, and the run's is %s"
            .formatted(
                exchange,
                Compression.OPTION.with(chosen),
                corrected.momentum(),
                updater.describe()));
  }
}
