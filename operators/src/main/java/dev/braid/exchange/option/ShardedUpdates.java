package dev.braid.exchange.option;

import java.util.Optional;

/** Whether each rank takes the optimiser's step for its share of the model alone. */
public final class ShardedUpdates {

  /** Of exchanges that can do so, or do nothing else. */
  public static final ExchangeOption<Boolean> OPTION =
      ExchangeOption.named("sharded", "on|off", ValueForm.onOff())
          .help(
              "Whether each worker applies the optimiser to its share of the model and sends "
                  + "weights on. The bits are the same; the optimiser's state exists once instead "
                  + "of once per worker.")
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
            ("%s: not with %s, which sends weights; use none, threshold, bitmap, auto, dgc "
                    + "or top-k")
                .formatted(Compression.OPTION.with(compression), OPTION.with(true)))
        : Optional.empty();
  }
}
