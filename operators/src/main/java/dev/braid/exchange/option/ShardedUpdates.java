package dev.braid.exchange.option;

import java.util.Optional;

/** Whether each rank takes the optimiser's step for its share of the model alone. */
public final class ShardedUpdates {

  /** Of exchanges that can do so, or do nothing else. */
  public static final ExchangeOption<Boolean> OPTION =
      ExchangeOption.named("sharded-updates", "on|off", ValueForm.onOff())
          .help(
              "Ring and mesh: whether each worker takes the optimiser's step for its share of the model, and"
                  + " sends weights on: the same bits, and the optimiser's state once in all and not"
                  + " once a worker. With ps --consistency sync it is so anyway.")
          .byDefault(false)
          .shortly("sharded");

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
            "%s %s: not with %s on, where weights are sent; none, threshold, bitmap, auto, dgc and top-k are possible"
                .formatted(Compression.OPTION.typed(), compression, OPTION.typed()))
        : Optional.empty();
  }
}
