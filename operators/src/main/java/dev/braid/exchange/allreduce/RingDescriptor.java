package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import java.util.List;
import java.util.Optional;

/** {@code ring}. */
public final class RingDescriptor implements ExchangeDescriptor {

  /** Whether each rank takes the step over its shard alone. */
  public static final ExchangeOption<Boolean> SHARDED_UPDATES =
      ExchangeOption.named("sharded-updates", "on|off", ValueForm.onOff())
          .help(
              "Ring and mesh: whether each worker takes the optimiser's step for its share of the model, and"
                  + " sends weights on: the same bits, and the optimiser's state once in all and not"
                  + " once a worker.")
          .byDefault(false)
          .shortly("sharded");

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public String summary() {
    return "bandwidth-optimal ring allreduce (reduce-scatter and all-gather)";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(Compression.OPTION, SHARDED_UPDATES);
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return roundedWeights(chosen);
  }

  /** Why not, where weights would be rounded on the wire as sums are. */
  public static Optional<String> roundedWeights(ExchangeOptions chosen) {
    return chosen.get(SHARDED_UPDATES)
            && chosen.get(Compression.OPTION) instanceof Compression.HalfBits
        ? Optional.of(
            Compression.OPTION.typed()
                + " "
                + chosen.get(Compression.OPTION)
                + ": not with "
                + SHARDED_UPDATES.typed()
                + " on, where weights are sent; none, threshold, bitmap, auto, dgc and top-k are possible")
        : Optional.empty();
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return chosen.get(SHARDED_UPDATES) ? Optional.of("updates sharded") : Optional.empty();
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return chosen.get(SHARDED_UPDATES) ? Steps.OF_THE_SUM_IN_PARTS : Steps.OF_THE_SUM;
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return config.options().get(SHARDED_UPDATES)
        ? new ShardedRing(config, port)
        : new RingAllreduce(config, port);
  }
}
