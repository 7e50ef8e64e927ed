package dev.braid.exchange.coded;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/**
 * {@code uncoded}: a master waits for all workers and adds their gradients; the baseline of the
 * coded exchanges.
 */
public final class UncodedDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "uncoded";
  }

  @Override
  public String summary() {
    return "a master adds up the gradients of all workers";
  }

  @Override
  public String advice() {
    return "Choose it for comparisons with coded exchanges.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(ExchangeOptions.ROOT, Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return CodedOptions.mistakeInRoot(chosen);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return CodedOptions.states(chosen);
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    int workers = config.roles().workers();
    CodedLayout layout = CodedLayout.of(CodedOptions.starOfAll(workers), config);
    return new CodedReduce(config, port, layout, new FirstAnswers(workers, 0));
  }
}
