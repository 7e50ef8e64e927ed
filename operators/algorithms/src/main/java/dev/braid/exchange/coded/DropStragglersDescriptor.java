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

/** {@code drop-stragglers}: a master adds the first N − S answers and drops the others. */
public final class DropStragglersDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "drop-stragglers";
  }

  @Override
  public String summary() {
    return "a master adds up the first gradients and drops the last S workers'";
  }

  @Override
  public String advice() {
    return "Choose it when the loss of samples is acceptable. A round costs no more than "
        + "without stragglers.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(CodedOptions.STRAGGLERS, ExchangeOptions.ROOT, Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  /** Returns true only without stragglers: otherwise timing decides which gradients are used. */
  @Override
  public boolean isRepeatable(ExchangeOptions chosen) {
    return chosen.get(CodedOptions.STRAGGLERS) == 0;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return CodedOptions.mistakeInStar(chosen);
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return Optional.of("without the last " + chosen.get(CodedOptions.STRAGGLERS));
  }

  @Override
  public int[] waysAround(ExchangeConfig config) {
    return layout(config).neighbours();
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return CodedOptions.states(chosen);
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    CodedLayout layout = layout(config);
    return new CodedReduce(
        config,
        port,
        layout,
        new FirstAnswers(config.roles().workers(), layout.codes().stragglers()));
  }

  private static CodedLayout layout(ExchangeConfig config) {
    return CodedLayout.of(CodedOptions.star(config.options(), config.roles().workers()), config);
  }
}
