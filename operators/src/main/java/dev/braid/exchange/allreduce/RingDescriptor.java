package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import java.util.List;

/** {@code ring}. */
public final class RingDescriptor implements ExchangeDescriptor {

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
    return List.of(Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new RingAllreduce(config, port);
  }
}
