package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
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
 * {@code gradient-coding}: a master decodes the answers of all workers, in a tree of one layer
 * (Tandon et al. 2017).
 */
public final class GradientCodingDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "gradient-coding";
  }

  @Override
  public String summary() {
    return "a master decodes the exact sum without the last S workers' answers";
  }

  @Override
  public String advice() {
    return "Choose it like coded, for few workers or a small vector: it has the least "
        + "load, and the master receives all answers.";
  }

  @Override
  public String source() {
    return "Tandon, Lei, Dimakis and Karampatziakis, \"Gradient Coding\", 2017";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(CodedOptions.STRAGGLERS, ExchangeOptions.ROOT, Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public boolean isRepeatable(ExchangeOptions chosen) {
    return codes(chosen, chosen.workers()).orElseThrow().isRepetition();
  }

  @Override
  public Optional<CodeTree> codes(ExchangeOptions chosen, int workers) {
    return Optional.of(CodedOptions.star(chosen, workers));
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return CodedOptions.mistakeInStar(chosen)
        .or(() -> CodedOptions.mistakeInCompression(this, chosen, isRepeatable(chosen)));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return codes(chosen, chosen.workers()).map(CodedOptions::describe);
  }

  /** Returns false, because ranks stand in for each other. */
  @Override
  public boolean addsAtTheSameRanks(ExchangeOptions chosen) {
    return false;
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
    return new CodedReduce(config, port, layout, new DecodedSum(layout.codes()));
  }

  private static CodedLayout layout(ExchangeConfig config) {
    return CodedLayout.of(CodedOptions.star(config.options(), config.roles().workers()), config);
  }
}
