package dev.braid.exchange.option;

import java.util.Optional;

/** Option to apply the optimiser's step to each part of the model at one rank only. */
public final class ShardedUpdates {

  /** The option of exchanges that can shard updates, or always do. */
  public static final ExchangeOption<Boolean> OPTION =
      ExchangeOption.named("sharded", "on|off", ValueForm.onOff())
          .help(
              "Whether each worker applies the optimiser to its share of the model and sends "
                  + "weights on. The bits are the same; the optimiser's state exists once instead "
                  + "of once per worker.")
          .byDefault(false);

  private ShardedUpdates() {}

  /**
   * Rejects compression that rounds the values of a sum if weights are sent in the same way.
   *
   * @param isSharded the chosen value of {@link #OPTION}
   * @return a message of one line, or empty if the two can be combined
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
