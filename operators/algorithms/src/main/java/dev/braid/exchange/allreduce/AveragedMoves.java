package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Averaging of moves: the differences between each rank's weights and the last mean, compressed
 * like gradients. A part of each move is sent; the rest is kept and added to the next move. All
 * ranks add the mean of the sent values to the last mean, which they all have, and continue from
 * the result.
 *
 * <p>Each rank keeps its own updater's state. A partial move of a second moment could make the
 * moment negative.
 */
final class AveragedMoves implements Averaged {

  /** State with the last mean, from which moves are counted; the same at all ranks. */
  private static final StateKind BASE = new StateKind("base", 1, StateKind.Rescaling.MEAN);

  private final Port port;
  private final Compression compression;
  private final Range whole;
  private final int ranks;

  /** The last mean, {@code float[length]}; empty before the first move. */
  private float[] base = {};

  AveragedMoves(ExchangeConfig config, Port port, Compression compression) {
    this.port = port;
    this.compression = compression;
    this.whole = Range.ofLength(config.length());
    this.ranks = config.ranks();
  }

  /** Returns the kinds of states to save with a compression. */
  static List<StateKind> states(Compression compression) {
    List<StateKind> kinds = new ArrayList<>(List.of(BASE));
    GradientCompression.statesOfSums(compression).stream()
        .map(AveragedMoves::rescaled)
        .forEach(kinds::add);
    return kinds;
  }

  /** Returns a kind of state with rescaling by mean instead of by sum, as moves are averaged. */
  private static StateKind rescaled(StateKind kind) {
    return kind.rescaling() == StateKind.Rescaling.SUM
        ? new StateKind(kind.name(), kind.version(), StateKind.Rescaling.MEAN)
        : kind;
  }

  @Override
  public int length() {
    return whole.length();
  }

  /** Creates sums with a batch of 1: a threshold applies to a weight's move, not to a batch. */
  @Override
  public ExchangeRunner sums(ExchangeConfig config, Port sumPort) {
    return ExchangeRunner.ofSums(
        TreeAllreduce::new, compression, config.with(config.options().withBatch(1)), sumPort);
  }

  @Override
  public void modelChanges() {
    if (base.length == 0) {
      base = port.model()[0].clone();
    }
  }

  @Override
  public void writeTo(float[] vector) {
    System.arraycopy(port.model()[0], 0, vector, 0, vector.length);
    Vectors.subtract(vector, base, whole);
  }

  @Override
  public void apply(Slice sum) {
    for (int i = 0; i < base.length; i++) {
      base[i] += sum.array()[sum.offset() + i] / ranks;
    }
    port.update(new Update.Replacement(0, whole, Slice.view(base, whole)));
  }

  @Override
  public int keptVectors() {
    return 1;
  }

  @Override
  public List<LastingState> states(Supplier<ExchangeRunner> sums) {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(BASE, this::writeBase, this::readBase));
    for (StateKind kind : GradientCompression.statesOfSums(compression)) {
      states.add(
          new LastingState(
              rescaled(kind),
              out -> state(sums.get(), kind).writer().write(out),
              in -> state(sums.get(), kind).reader().read(in)));
    }
    return states;
  }

  private static LastingState state(ExchangeRunner sums, StateKind kind) {
    return sums.states().stream()
        .filter(state -> state.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private void writeBase(DataOutput out) throws IOException {
    StateVectors.write(out, base.length == 0 ? port.model()[0] : base);
  }

  private void readBase(DataInput in) throws IOException {
    base = StateVectors.readFinite(in, whole.length(), "base");
  }
}
