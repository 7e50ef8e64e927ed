package dev.braid.exchange.option;

import java.util.Optional;

/** Whether each rank takes the optimiser's step for its share of the model alone. */
public final class ShardedUpdates {

  /** Of exchanges that can do so, or do nothing else. */
  public static final ExchangeOption<Boolean> OPTION =
      ExchangeOption.named("sharded", "on|off", ValueForm.onOff())
          .help(
              "Whether each worker takes the optimiser's step for its share of the model, and"
                  + " sends weights on: the same bits, and the optimiser's state once in all and not"
                  + " once a worker.")
          .byDefault(false);

  private ShardedUpdates() {}

  /**
   * Refuses what rounds the values of a sum, where weights are sent in the same way.
   *
   * @param isSharded what is chosen of {@link #OPTION}
   * @return a line that says so, or nothing where both are possible together
   */
  public static Optional<String> mistake(boolean isSharded, Compression compression) {
    return isSharded && compression instanceof Compression.HalfBits
        ? Optional.of(
            "%s: not with %s, where weights are sent; none, threshold, bitmap, auto, dgc and top-k are possible"
                .formatted(Compression.OPTION.with(compression), OPTION.with(true)))
        : Optional.empty();
  }
}
