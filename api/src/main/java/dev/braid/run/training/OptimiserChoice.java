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
 * What is chosen of the optimiser, and how it becomes that of the workers, or is refused.
 *
 * @param model the preset or file that the model is from
 * @param updater the name of the updater; none given: the model's own
 * @param learningRate none given: the updater's usual
 * @param schedule how the learning rate changes
 * @param clipNorm how long a mean gradient may be at most
 * @param clipValue how large its elements may be at most
 * @param weightDecay takes the place of the model's own
 */
public record OptimiserChoice(
    String model,
    Optional<String> updater,
    OptionalDouble learningRate,
    EpochSchedule schedule,
    OptionalDouble clipNorm,
    OptionalDouble clipValue,
    OptionalDouble weightDecay) {

  /** A decay that is asked for takes the place of the model's own. */
  public ModelSpec decaying(ModelSpec spec) {
    return weightDecay.isPresent() ? spec.withWeightDecay(weightDecay.getAsDouble()) : spec;
  }

  /** The codec that an exchange has with this optimiser, if none is chosen. */
  public Compression compression(ExchangeType exchange, ExchangeOptions options, ModelSpec spec) {
    float momentum = updater(spec) instanceof UpdaterSpec.Momentum own ? (float) own.momentum() : 0;
    return exchange.descriptor().compression(options, momentum);
  }

  /**
   * The one asked for; else the model's own. A rate that is not given is that of the model's own
   * updater, if it is of the kind asked for, and a preset's; else that kind's usual one.
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
   * The optimiser of a run.
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
        clipping(batchOfEach),
        spec.parameters(),
        batchOfEach);
  }

  /**
   * Returns how large gradients are clipped.
   *
   * @param batchOfEach samples of a full gradient, where those of each worker are applied one by
   *     one; else 0
   */
  private Clipping clipping(int batchOfEach) {
    if (clipNorm.isPresent()) {
      return new Clipping.ByNorm(clipNorm.getAsDouble());
    }
    return clipValue.isPresent()
        ? new Clipping.ByValue(clipValue.getAsDouble(), batchOfEach)
        : Clipping.NONE;
  }

  /**
   * Adam's steps, and its relatives', are as long for a small gradient as for a large one: where
   * each worker's gradient makes a step of its own, or each part of it, they would add up to many
   * times the learning rate.
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
   * The norm of a gradient is that of all of it, once it is summed up: where it is stepped part by
   * part, it is at hand nowhere.
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
   * What steps along sums: where each worker has the momentum, as its gradients are compressed with
   * it, nothing is left of it.
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
