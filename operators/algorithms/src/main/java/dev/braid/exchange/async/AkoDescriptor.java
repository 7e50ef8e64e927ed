package dev.braid.exchange.async;

import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Bandwidth;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/** Descriptor of {@code ako}, partial gradient exchange. */
public final class AkoDescriptor implements ExchangeDescriptor {

  /** Number of partitions, p; 0 lets the cost model choose it repeatedly. */
  static final ExchangeOption<Integer> PARTITIONS =
      ExchangeOption.named(
              "partitions", "P", ValueForm.wholeNumber(1, BandwidthCost.MAX_PARTITIONS))
          .help(
              "Number of parts into which a gradient is divided; in each round, one part "
                  + "goes to each worker.")
          .foundOutByDefault("from the measured bandwidth, by Ako's cost model, repeatedly", 0);

  static final ExchangeOption<Boolean> ACCUMULATION =
      ExchangeOption.named("accumulation", "on|off", ValueForm.onOff())
          .help("Whether parts that wait for their turn are accumulated or discarded.")
          .byDefault(true);

  /** Bandwidth B of a worker, in bytes per second; 0 to measure it. */
  static final ExchangeOption<Double> BANDWIDTH =
      ExchangeOption.named(
              "bandwidth",
              "RATE",
              new ValueForm<>(
                  Double.class,
                  "above 0, in kbit, mbit or gbit",
                  Bandwidth::bytesPerSecond,
                  Bandwidth::title))
          .help(
              "Bandwidth of a worker's connection, such as 100mbit or 1gbit, from which the "
                  + "number of parts follows.")
          .foundOutByDefault("measured", 0.0);

  @Override
  public String name() {
    return "ako";
  }

  @Override
  public String summary() {
    return "partial gradient exchange (asynchronous): sends as much of each gradient as "
        + "the bandwidth allows";
  }

  @Override
  public String advice() {
    return "Choose it when workers must not wait for each other and the bandwidth is less "
        + "than they need to send all gradients.";
  }

  @Override
  public String source() {
    return "Watcharapichat, Lopez Morales, Fernandez and Pietzuch, \"Ako: Decentralised Deep"
        + " Learning with Partial Gradient Exchange\", 2016";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(
        PARTITIONS, ACCUMULATION, BANDWIDTH, ExchangeOptions.STALENESS, Compression.OPTION);
  }

  @Override
  public Optional<String> condition(ExchangeOption<?> option) {
    return option.equals(BANDWIDTH) ? Optional.of("without " + PARTITIONS) : Optional.empty();
  }

  /** Returns whether an option is used: the bandwidth only if p is derived from it. */
  @Override
  public boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    boolean findsPartitions = chosen.get(PARTITIONS) == 0;
    return options().contains(option) && (!option.equals(BANDWIDTH) || findsPartitions);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return List.of(AsynchronousExchange.CLOCKS, Ako.PARTITIONS);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return false;
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return Steps.OF_EACH_GRADIENT;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new Ako(config, port);
  }
}
