package dev.braid.job.plan;

import dev.braid.exchange.ExchangeDescriptor.Steps;
import dev.braid.exchange.option.Compression;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.UpdaterNames;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.OptionalDouble;

/** How a run's options become the optimiser of its workers, or are refused. */
final class OptimiserPlan {

  private OptimiserPlan() {}

  /**
   * The optimiser of a run.
   *
   * @throws UsageException if the exchange cannot apply it
   */
  static Optimiser of(TrainOptions options, ModelSpec model) {
    UpdaterSpec updater = updater(options, model);
    checkUpdater(options, updater);
    checkClipping(options);
    return optimiser(options, model, behindTheSum(options, updater));
  }

  /** The run with the codec that its exchange has with this run's optimiser, if none is chosen. */
  static TrainOptions compressing(TrainOptions options, ModelSpec model) {
    float momentum =
        updater(options, model) instanceof UpdaterSpec.Momentum own ? (float) own.momentum() : 0;
    Compression usual =
        options.exchange().descriptor().compression(options.exchangeOptions(), momentum);
    return usual.equals(options.exchangeOptions().get(Compression.OPTION))
        ? options
        : options.withCompression(usual);
  }

  /**
   * Adam's steps, and its relatives', are as long for a small gradient as for a large one: where
   * each worker's gradient makes a step of its own, or each part of it, they would add up to many
   * times the learning rate.
   */
  private static void checkUpdater(TrainOptions options, UpdaterSpec updater) {
    if (!options.isSynchronous() && updater.isAdaptive()) {
      throw new UsageException(
          "--updater "
              + updater.title()
              + ": with --exchange "
              + options.exchange().title()
              + " gradients are applied one by one, and its steps would not add up; sgd or"
              + " momentum is needed");
    }
  }

  /**
   * The norm of a gradient is that of all of it, once it is summed up: where it is stepped part by
   * part, it is at hand nowhere.
   */
  private static void checkClipping(TrainOptions options) {
    boolean inParts = steps(options) != Steps.OF_THE_SUM;
    if (inParts && options.learning().clipNorm().isPresent()) {
      throw new UsageException(
          "--clip norm:%s: with --exchange %s gradients are applied in parts, of which none has the"
                  .formatted(
                      Typed.number(options.learning().clipNorm().getAsDouble()),
                      options.exchange().title())
              + " norm of all; --clip value:LIMIT, or ring or mesh without sharded=on, tree, ft-tree, averaging, gossip or coded, is needed");
    }
  }

  /**
   * What steps along sums: where each worker has the momentum, as its gradients are compressed with
   * it, nothing is left of it.
   */
  private static UpdaterSpec behindTheSum(TrainOptions options, UpdaterSpec updater) {
    Compression chosen = options.exchange().descriptor().compression(options.exchangeOptions());
    if (!(chosen instanceof Compression.Corrected corrected)) {
      return updater;
    }
    if (updater instanceof UpdaterSpec.Momentum own
        && (float) own.momentum() == corrected.momentum()) {
      return new UpdaterSpec.Sgd(own.learningRate());
    }
    throw new UsageException(
        "--exchange %s: %s: gradients are compressed with a momentum of %s; --updater momentum is needed, and the run's is %s"
            .formatted(
                options.exchange(),
                Compression.OPTION.with(chosen),
                corrected.momentum(),
                updater.describe()));
  }

  private static Steps steps(TrainOptions options) {
    return options.exchange().descriptor().steps(options.exchangeOptions());
  }

  private static Optimiser optimiser(TrainOptions options, ModelSpec model, UpdaterSpec updater) {
    boolean oneByOne = steps(options) == Steps.OF_EACH_GRADIENT;
    return new Optimiser(
        updater,
        options.learning().schedule(options.epochs()),
        options.learning().clipping(oneByOne ? options.exchangeOptions().batch() : 0),
        model.parameters(),
        oneByOne ? options.exchangeOptions().batch() : 0);
  }

  /** A decay that is asked for takes the place of the model's own. */
  static ModelSpec decaying(TrainOptions options, ModelSpec model) {
    OptionalDouble decay = options.learning().weightDecay();
    return decay.isPresent() ? model.withWeightDecay(decay.getAsDouble()) : model;
  }

  /**
   * The one asked for; else the model's own. A rate that is not given is that of the model's own
   * updater, if it is of the kind asked for, and a preset's; else that kind's usual one.
   */
  static UpdaterSpec updater(TrainOptions options, ModelSpec model) {
    if (options.updater().isEmpty()) {
      UpdaterSpec own = model.updater();
      return options.learningRate().isPresent()
          ? own.withLearningRate(options.learningRate().getAsDouble())
          : own;
    }
    String name = UpdaterNames.withoutDecay(options.updater().get());
    boolean preset = model.weights().length == 0 && ModelSpec.isPreset(options.model());
    double usual =
        preset && model.updater().title().equals(name)
            ? model.updater().learningRate()
            : UpdaterNames.learningRate(name);
    return UpdaterSpec.of(name, OptionalDouble.of(options.learningRate().orElse(usual)));
  }
}
