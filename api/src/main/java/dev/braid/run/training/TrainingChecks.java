package dev.braid.run.training;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.PartwiseLearner;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks that an exchange, a model and the samples of a training fit each other.
 *
 * @param exchange how workers share gradients
 * @param options options of the exchange
 * @param batch samples of a worker's gradient; {@link SampleSource#ALL} for all of its share
 */
public record TrainingChecks(ExchangeType exchange, ExchangeOptions options, int batch) {

  /** Number of larger batches that are tried, to name one that is possible. */
  private static final int LARGER_BATCHES = 64;

  private static final String ONLY_ADD_UP =
      "with batch normalisation, or Deeplearning4j's own layers, gradients cannot be weighted";

  /**
   * Checks that a stream can be trained on.
   *
   * @param isStandardized whether features have running statistics
   * @throws InvalidTrainingException if not
   */
  public void requireStream(boolean isStandardized) {
    if (codes().isPresent()) {
      throw mistake(
          "its workers compute samples of other workers, which only data sets allow: for "
              + "a stream use ring, tree, ft-tree, mesh, ps or averaging");
    }
    if (isStandardized
        && Compression.rounding(exchange.descriptor().compression(options)).isPresent()) {
      throw mistake(
          "values of 16 bits are too short for the running statistics of standardized "
              + "features: use another codec, or no standardized features");
    }
  }

  /**
   * Checks that a model supports weights of samples.
   *
   * @throws InvalidTrainingException if it does not
   */
  public static void requireWeights(ModelSpec model) {
    if (!Learners.weighs(model.parsed())) {
      throw new InvalidTrainingException(
          "model",
          model.name()
              + ": Deeplearning4j's own layers weight all samples equally: weights of samples "
              + "need fully connected and convolutional layers");
    }
  }

  /**
   * Checks that a model's gradients can be combined as the exchange's code requires, and that a
   * worker can compute its part of a round.
   *
   * @param samples number of training samples
   * @throws InvalidTrainingException if the gradients cannot be combined, or a worker would have no
   *     samples
   * @throws dev.braid.learner.InvalidModelException if a batch is too large for the model
   */
  public void requireRounds(ModelSpec model, Shape shape, int samples) {
    Optional<CodeTree> codes = codes();
    boolean addsUp = codes.map(CodeTree::isRepetition).orElse(true);
    if (!addsUp && !Learners.combines(model.parsed())) {
      throw new InvalidTrainingException(
          "model",
          "%s: %s: an even number of workers is needed, or stragglers=0"
              .formatted(model.name(), ONLY_ADD_UP));
    }
    if (choosesAnew() && !Learners.combines(model.parsed())) {
      throw new InvalidTrainingException(
          "exchange",
          "coded: plan=auto, {model} %s: %s, which not all trees do: plan=fixed is needed"
              .formatted(model.name(), ONLY_ADD_UP));
    }
    int round = Math.toIntExact(Math.min((long) batch * options.workers(), samples));
    Optional<Allocation> allocation = codes.map(tree -> Allocation.sizes(tree, round));
    allocation.ifPresent(it -> requireShares(codes.orElseThrow(), it, round, samples));
    int largest = allocation.map(Allocation::mostLoad).orElse(Math.min(batch, samples));
    // In some trees each worker computes all samples of a round.
    int atOnce = choosesAnew() ? round : largest;
    model.checkBatch(
        shape, batch == SampleSource.ALL ? Math.min(atOnce, PartwiseLearner.PART) : atOnce);
  }

  /** Checks that each worker has samples, since one without samples would only cost time. */
  private void requireShares(CodeTree codes, Allocation allocation, int round, int samples) {
    if (allocation.leastLoad() > 0) {
      return;
    }
    int workers = options.workers();
    // A full batch cannot be enlarged.
    Optional<Integer> enough =
        IntStream.rangeClosed(Math.min(batch, samples) + 1, samples / workers)
            .limit(LARGER_BATCHES)
            .boxed()
            .filter(larger -> Allocation.sizes(codes, larger * workers).leastLoad() > 0)
            .findFirst();
    throw new InvalidTrainingException(
        "batch",
        "%s: of a round of %d samples, some of %d workers would have none in this tree: %s"
            .formatted(
                batch == SampleSource.ALL ? "all" : batch,
                round,
                workers,
                enough
                    .map(larger -> larger + " is needed")
                    .orElse("another tree, or fewer workers, are needed")));
  }

  private Optional<CodeTree> codes() {
    return exchange.descriptor().codes(options, options.workers());
  }

  private boolean choosesAnew() {
    return exchange == ExchangeType.CODED && CodedOptions.choosesAnew(options);
  }

  private InvalidTrainingException mistake(String what) {
    return new InvalidTrainingException(
        "exchange", "%s: %s".formatted(ChosenExchange.of(exchange, options), what));
  }
}
