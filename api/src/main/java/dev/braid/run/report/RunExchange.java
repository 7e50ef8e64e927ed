package dev.braid.run.report;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.run.training.TrainingPlan;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Which exchange a run has, for what is to be said of it while workers are cut off.
 *
 * @param length the model's parameters
 */
public record RunExchange(ExchangeType type, ExchangeOptions options, int length)
    implements Serializable {

  /** Returns that of a training. */
  public static RunExchange of(TrainingPlan plan) {
    return new RunExchange(plan.exchange(), plan.options(), plan.trained().length());
  }

  /** What others do without some workers, where that is another thing than before. */
  public Optional<String> without(List<Integer> leftOut, int workers) {
    return leftOut.isEmpty() || leftOut.size() >= workers
        ? Optional.empty()
        : type.descriptor().describe(options, length, workers, leftOut);
  }
}
