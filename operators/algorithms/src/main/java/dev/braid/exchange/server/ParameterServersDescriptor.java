package dev.braid.exchange.server;

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

/** Descriptor of {@code ps}. */
public final class ParameterServersDescriptor implements ExchangeDescriptor {

  /** Consistency model of the servers. */
  public static final ExchangeOption<Consistency> CONSISTENCY =
      ExchangeOption.named(
              "consistency", "NAME", ValueForm.word(Consistency.class, Consistency::title))
          .help(
              "sync: one step for the gradients of all workers. async: a step for each "
                  + "gradient; workers do not wait. ssp: as async, within staleness.")
          .byDefault(Consistency.SYNC);

  @Override
  public String name() {
    return "ps";
  }

  @Override
  public String summary() {
    return "parameter servers, dedicated or at the workers, synchronous or asynchronous";
  }

  @Override
  public String advice() {
    return "Choose it for comparisons, or if some machines have a better network and "
        + "slower processors than others.";
  }

  @Override
  public String source() {
    return "Li et al., \"Scaling Distributed Machine Learning with the Parameter Server\", 2014";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(
        CONSISTENCY, ExchangeOptions.SERVERS, ExchangeOptions.STALENESS, Compression.OPTION);
  }

  @Override
  public Optional<String> condition(ExchangeOption<?> option) {
    return option.equals(ExchangeOptions.STALENESS)
        ? Optional.of("with " + CONSISTENCY.with(Consistency.SSP))
        : Optional.empty();
  }

  @Override
  public boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    return options().contains(option)
        && (!option.equals(ExchangeOptions.STALENESS)
            || chosen.get(CONSISTENCY) == Consistency.SSP);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return isSynchronous(chosen)
        ? List.of(SynchronousServers.ROUNDS)
        : List.of(AsynchronousServers.SERVER, AsynchronousServers.WORKER);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return chosen.get(CONSISTENCY) == Consistency.SYNC;
  }

  @Override
  public boolean hasServers() {
    return true;
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    String servers =
        switch (chosen.dedicatedServers()) {
          case 0 -> "a server at each worker";
          case 1 -> "1 dedicated server";
          default -> chosen.dedicatedServers() + " dedicated servers";
        };
    return Optional.of(chosen.get(CONSISTENCY).title() + ", " + servers);
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return isSynchronous(chosen) ? Steps.OF_THE_SUM_IN_PARTS : Steps.OF_EACH_GRADIENT;
  }

  @Override
  public String stateName(ExchangeOptions chosen) {
    return name() + " " + chosen.get(CONSISTENCY).title();
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return isSynchronous(config.options())
        ? new SynchronousServers(config, port)
        : new AsynchronousServers(config, port);
  }
}
