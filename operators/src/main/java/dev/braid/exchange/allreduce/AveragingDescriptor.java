package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import java.util.List;

/** {@code averaging}. */
public final class AveragingDescriptor implements ExchangeDescriptor {

  /**
   * k: batches between two averages. By default a fifth is sent of what synchronous training sends,
   * before replicas are far apart.
   */
  public static final ExchangeOption<Integer> INTERVAL =
      ExchangeOption.named("averaging-interval", "K", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Averaging: batches that each worker trains on between two averages.")
          .byDefault(5)
          .shortlyInPlace("interval");

  @Override
  public String name() {
    return "averaging";
  }

  @Override
  public String summary() {
    return "batches of each worker's own, then the mean of the models";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(INTERVAL);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return List.of(ParameterAveraging.AVERAGES);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  /** Workers that count up to another number of batches would not average together. */
  @Override
  public String stateName(ExchangeOptions chosen) {
    return name() + " every " + chosen.get(INTERVAL) + " batches";
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new ParameterAveraging(config, port);
  }
}
