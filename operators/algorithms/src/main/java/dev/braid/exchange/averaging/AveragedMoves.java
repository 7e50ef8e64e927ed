package dev.braid.exchange.averaging;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.TreeAllreduce;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Averaging of moves: the differences between each rank's weights and the last mean, which may be
 * compressed like gradients. Then a part of each move is sent; the rest is kept and added to the
 * next move. All ranks add the mean of the sent values, or an {@linkplain OuterStep outer step}
 * along it, to the last mean, which they all have, and continue from the result.
 *
 * <p>Each rank keeps its own updater's state. A partial move of a second moment could make the
 * moment negative.
 */
final class AveragedMoves implements Averaged {

  /** State with the weights from which moves that are being added up were computed. */
  private static final StateKind SENT = StateKind.ofTheseRanks("sent", 1);

  private final Port port;
  private final Compression compression;
  private final LastMean mean;
  private final boolean isOverlapped;
  private final Range whole;
  private final int ranks;

  /**
   * The weights from which moves that are being added up were computed, {@code float[length]};
   * empty if the weights do not change meanwhile.
   */
  private float[] sent = {};

  AveragedMoves(ExchangeConfig config, Port port) {
    this.port = port;
    this.compression = config.options().get(Compression.OPTION);
    this.mean = new LastMean(config, this::weights);
    this.isOverlapped = config.options().get(AveragingDescriptor.OVERLAP) > 0;
    this.whole = Range.ofLength(config.length());
    this.ranks = config.ranks();
  }

  /** Returns the kinds of states to save. */
  static List<StateKind> states(ExchangeOptions options) {
    Compression compression = options.get(Compression.OPTION);
    List<StateKind> kinds = new ArrayList<>(LastMean.states(options));
    if (options.get(AveragingDescriptor.OVERLAP) > 0) {
      kinds.add(SENT);
    }
    GradientCompression.statesOfSums(compression).stream()
        .map(AveragedMoves::rescaled)
        .forEach(kinds::add);
    return kinds;
  }

  /** Returns a kind of state with rescaling by mean instead of by sum, as moves are averaged. */
  static StateKind rescaled(StateKind kind) {
    return kind.rescaling() == StateKind.Rescaling.SUM
        ? new StateKind(kind.name(), kind.version(), StateKind.Rescaling.MEAN)
        : kind;
  }

  @Override
  public int length(Range range) {
    return range.length();
  }

  /** Creates sums with a batch of 1: a threshold applies to a weight's move, not to a batch. */
  @Override
  public ExchangeRunner sums(ExchangeConfig config, Port sumPort) {
    return ExchangeRunner.ofSums(
        TreeAllreduce::new,
        false,
        compression,
        config.with(config.options().withBatch(1)),
        sumPort);
  }

  @Override
  public void modelChanges() {
    mean.weightsChange();
  }

  private float[] weights() {
    return port.model()[0];
  }

  @Override
  public void begin(Range range) {
    if (isOverlapped) {
      if (sent.length == 0) {
        sent = new float[whole.length()];
      }
      System.arraycopy(weights(), range.start(), sent, range.start(), range.length());
    }
  }

  @Override
  public void writeTo(Range range, float[] part) {
    float[] from = isOverlapped ? sent : weights();
    float[] base = mean.values();
    for (int i = 0; i < part.length; i++) {
      part[i] = from[range.start() + i] - base[range.start() + i];
    }
  }

  @Override
  public void apply(Range range, Slice sum) {
    mean.move(range, sum, ranks);
    float[] base = mean.values();
    float[] next = base;
    if (isOverlapped) {
      // This rank's moves since then are kept, and are part of its next move.
      next = sent;
      float[] now = weights();
      for (int i = range.start(); i < range.end(); i++) {
        next[i] = mean.isExact(i) ? base[i] : base[i] + (now[i] - sent[i]);
      }
    }
    port.update(new Update.Replacement(0, range, Slice.view(next, range)));
  }

  @Override
  public int keptVectors() {
    return mean.keptVectors() + (isOverlapped ? 1 : 0);
  }

  @Override
  public List<LastingState> states(Supplier<List<ExchangeRunner>> sums) {
    List<LastingState> states = new ArrayList<>(mean.states());
    if (isOverlapped) {
      states.add(new LastingState(SENT, this::writeSent, this::readSent));
    }
    states.addAll(statesOfSums(compression, sums));
    return states;
  }

  /**
   * Returns the states of the codecs of sums.
   *
   * @param sums supplies the sums; called only when a state is written or read
   */
  static List<LastingState> statesOfSums(
      Compression compression, Supplier<List<ExchangeRunner>> sums) {
    List<LastingState> states = new ArrayList<>();
    for (StateKind kind : GradientCompression.statesOfSums(compression)) {
      states.add(
          new LastingState(
              rescaled(kind),
              out -> {
                for (ExchangeRunner each : sums.get()) {
                  state(each, kind).writer().write(out);
                }
              },
              in -> {
                for (ExchangeRunner each : sums.get()) {
                  state(each, kind).reader().read(in);
                }
              }));
    }
    return states;
  }

  private static LastingState state(ExchangeRunner sums, StateKind kind) {
    return sums.states().stream()
        .filter(state -> state.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private void writeSent(DataOutput out) throws IOException {
    StateVectors.write(out, sent.length == 0 ? new float[whole.length()] : sent);
  }

  private void readSent(DataInput in) throws IOException {
    sent = StateVectors.readFinite(in, whole.length(), "vector of sent weights");
  }
}
