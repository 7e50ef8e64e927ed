package dev.braid.exchange.option;

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
}
