package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/** Descriptor of {@code averaging}. */
public final class AveragingDescriptor implements ExchangeDescriptor {

  /**
   * k, the number of batches between two averages. With the default, workers send a fifth of the
   * data of synchronous training, and replicas do not drift far apart.
   */
  public static final ExchangeOption<Integer> INTERVAL =
      ExchangeOption.named("interval", "K", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Number of batches that each worker trains on between two averages.")
          .byDefault(5);

  @Override
  public String name() {
    return "averaging";
  }

  @Override
  public String summary() {
    return "workers train independently for some batches, then average their models";
  }

  @Override
  public String advice() {
    return "Choose it when waiting and sending after each batch costs too much, and you "
        + "accept a slightly lower accuracy.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(INTERVAL, Compression.OPTION);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return ParameterAveraging.states(chosen.get(Compression.OPTION));
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  /**
   * Returns a name that includes the interval, because workers with different intervals would not
   * average together. The name also marks moves, which start from the last mean, saved with them.
   */
  @Override
  public String stateName(ExchangeOptions chosen) {
    String ofMoves = chosen.get(Compression.OPTION).equals(Compression.NONE) ? "" : ", of moves";
    return name() + " every " + chosen.get(INTERVAL) + " batches" + ofMoves;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    Compression compression = chosen.get(Compression.OPTION);
    return compression instanceof Compression.Corrected
        ? Optional.of(
            "%s: averaging sends moves, which contain each worker's momentum; use threshold"
                .formatted(Compression.OPTION.with(compression)))
        : Optional.empty();
  }

  @Override
  public Sends sends() {
    return Sends.MOVES;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new ParameterAveraging(config, port);
  }
}
