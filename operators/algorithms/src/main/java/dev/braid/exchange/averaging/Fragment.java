package dev.braid.exchange.averaging;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;
import java.util.function.Consumer;

/**
 * A part of the model with the exchange that computes its sums. The sums of all parts are numbered
 * together, in the order in which they begin: part j of P has the sums j, j + P, j + 2P, … Messages
 * carry these numbers.
 */
final class Fragment {

  private final Range range;
  private final Averaged averaged;
  private final int index;
  private final int count;
  private final Consumer<Slice> whenSummed;
  private final ExchangeRunner sums;

  /** This rank's part of a sum, of {@link Averaged#length} elements. */
  private final float[] part;

  /**
   * Creates part {@code index} of {@code count}.
   *
   * @param completedSums number of complete sums of all parts
   * @param whenSummed receiver of each complete sum
   */
  Fragment(
      ExchangeConfig config,
      Port port,
      Averaged averaged,
      int index,
      int count,
      long completedSums,
      Consumer<Slice> whenSummed) {
    this.range = Range.ofLength(config.length()).part(index, count);
    this.averaged = averaged;
    this.index = index;
    this.count = count;
    this.whenSummed = whenSummed;
    this.part = new float[averaged.length(range)];
    this.sums =
        averaged.sums(
            new ExchangeConfig(
                    config.rank(),
                    config.ranks(),
                    part.length,
                    config.chunkLength(),
                    (completedSums + count - 1 - index) / count,
                    config.options())
                .withExact(exact(config)),
            new SumPort(port));
  }

  private List<Range> exact(ExchangeConfig config) {
    return config.exact().stream()
        .map(range::common)
        .filter(common -> !common.isEmpty())
        .map(common -> new Range(common.start() - range.start(), common.end() - range.start()))
        .toList();
  }

  Range range() {
    return range;
  }

  ExchangeRunner sums() {
    return sums;
  }

  /** Contributes to the next sum, unless this rank has contributed already. */
  void contribute() {
    if (sums.mayCompute()) {
      averaged.writeTo(range, part);
      sums.contribute(new Contribution(sums.completedRounds(), part, 1));
    }
  }

  void receive(Message message) {
    sums.receive(message.ofRound(message.round() / count));
  }

  /** Port of the sums: numbers messages, and passes a sum on. */
  private final class SumPort extends ForwardingPort {

    SumPort(Port port) {
      super(port);
    }

    @Override
    public void send(Message message) {
      super.send(numbered(message));
    }

    @Override
    public void handOver(Message message) {
      super.handOver(numbered(message));
    }

    private Message numbered(Message message) {
      return message.ofRound(message.round() * count + index);
    }

    @Override
    public void update(Update sum) {
      whenSummed.accept(sum.values());
    }
  }
}
