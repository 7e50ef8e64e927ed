package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ShardedUpdates;
import java.util.List;
import java.util.Optional;

/** Descriptor of {@code ring}. */
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
  public String advice() {
    return "Choose it when the model is large or the network is the bottleneck: each "
        + "worker sends the least possible per round, 2(n−1)/n of the vector.";
  }

  @Override
  public String source() {
    return "Patarasuk and Yuan, \"Bandwidth optimal all-reduce algorithms for clusters of"
        + " workstations\", 2009";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(Compression.OPTION, ShardedUpdates.OPTION);
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return ShardedUpdates.mistake(
        chosen.get(ShardedUpdates.OPTION), chosen.get(Compression.OPTION));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return chosen.get(ShardedUpdates.OPTION) ? Optional.of("updates sharded") : Optional.empty();
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return chosen.get(ShardedUpdates.OPTION) ? Steps.OF_THE_SUM_IN_PARTS : Steps.OF_THE_SUM;
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return config.options().get(ShardedUpdates.OPTION)
        ? new ShardedRing(config, port)
        : new RingAllreduce(config, port);
  }
}
