package dev.braid.run.report;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.run.training.TrainingPlan;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Exchange of a run, to describe it while workers are excluded.
 *
 * @param length number of the model's parameters
 */
public record RunExchange(ExchangeType type, ExchangeOptions options, int length)
    implements Serializable {

  /** Returns the exchange of a training. */
  public static RunExchange of(TrainingPlan plan) {
    return new RunExchange(plan.exchange(), plan.options(), plan.trained().length());
  }

  /** Describes how the exchange continues without some workers, if that differs from before. */
  public Optional<String> without(List<Integer> leftOut, int workers) {
    return leftOut.isEmpty() || leftOut.size() >= workers
        ? Optional.empty()
        : type.descriptor().describe(options, length, workers, leftOut);
  }
}
