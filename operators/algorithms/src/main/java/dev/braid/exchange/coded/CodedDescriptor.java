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
import java.util.stream.Stream;

/** {@code coded}: the sum is decoded at each parent of a tree (CodedReduce). */
public final class CodedDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "coded";
  }

  @Override
  public String summary() {
    return "CodedReduce: exact sums in a tree that does not wait for stragglers";
  }

  @Override
  public String advice() {
    return "Choose it when some workers are slow at times and must not slow down every "
        + "round. Each sample is then computed several times.";
  }

  @Override
  public String source() {
    return "Reisizadeh, Prakash, Pedarsani and Avestimehr, \"CodedReduce\", 2021";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(
        CodedOptions.STRAGGLERS,
        CodedOptions.CHILDREN,
        CodedOptions.LAYERS,
        ExchangeOptions.ROOT,
        CodedOptions.PLAN,
        Compression.OPTION);
  }

  @Override
  public Optional<String> condition(ExchangeOption<?> option) {
    if (option.equals(CodedOptions.LAYERS)) {
      return Optional.of("without " + CodedOptions.CHILDREN);
    }
    return Optional.empty();
  }

  @Override
  public boolean uses(ExchangeOption<?> option, ExchangeOptions chosen) {
    boolean isOfNoUse =
        option.equals(CodedOptions.LAYERS) && chosen.isChosen(CodedOptions.CHILDREN);
    return options().contains(option) && !isOfNoUse;
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  /**
   * Returns whether runs repeat bit for bit: not if the tree can change between epochs, because
   * another tree adds in another order.
   */
  @Override
  public boolean isRepeatable(ExchangeOptions chosen) {
    return !CodedOptions.choosesAnew(chosen)
        && CodedOptions.tree(chosen, chosen.workers()).isRepetition();
  }

  @Override
  public Optional<CodeTree> codes(ExchangeOptions chosen, int workers) {
    return Optional.of(CodedOptions.tree(chosen, workers));
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return CodedOptions.mistakeInTree(chosen)
        .or(() -> CodedOptions.mistakeInCompression(this, chosen, isRepeatable(chosen)));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    String first = CodedOptions.describe(CodedOptions.tree(chosen, chosen.workers()));
    return Optional.of(
        CodedOptions.choosesAnew(chosen)
            ? first + "; chosen again after each epoch, so that two runs can have different bits"
            : first);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    List<StateKind> states = CodedOptions.states(chosen);
    return CodedOptions.choosesAnew(chosen)
        ? Stream.concat(Stream.of(PlannedReduce.STATE), states.stream()).toList()
        : states;
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
  public Exchange create(ExchangeConfig config, Port port) {
    CodedLayout layout = layout(config);
    if (CodedOptions.choosesAnew(config.options())) {
      return new PlannedReduce(config, port, layout.codes());
    }
    return new CodedReduce(config, port, layout, new DecodedSum(layout.codes()));
  }

  private static CodedLayout layout(ExchangeConfig config) {
    return CodedLayout.of(CodedOptions.tree(config.options(), config.roles().workers()), config);
  }
}
