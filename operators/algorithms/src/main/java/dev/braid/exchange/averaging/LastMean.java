package dev.braid.exchange.averaging;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateKind.Rescaling;
import dev.braid.exchange.state.StateVectors;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The last mean, from which moves are counted, and the velocity of the {@linkplain OuterStep outer
 * step} that led to it. Both are the same at all ranks. Running statistics take no outer step, as a
 * variance could become negative.
 */
final class LastMean {

  private static final StateKind BASE = new StateKind("base", 1, Rescaling.COPY);

  private static final StateKind VELOCITY = new StateKind("velocity", 1, Rescaling.COPY);

  private final Optional<OuterStep> outer;
  private final Supplier<float[]> weights;
  private final int length;

  /** Elements without an outer step. */
  private final BitSet exact = new BitSet();

  /** The last mean, {@code float[length]}; empty before the first move. */
  private float[] base = {};

  /** Velocity of the outer step, {@code float[length]}; empty before the first or without one. */
  private float[] velocity = {};

  /**
   * @param weights supplies this rank's weights, which are the mean until they change
   */
  LastMean(ExchangeConfig config, Supplier<float[]> weights) {
    this.outer = OuterStep.of(config.options());
    this.weights = weights;
    this.length = config.length();
    config.exact().forEach(range -> exact.set(range.start(), range.end()));
  }

  /** Returns the kinds of states to save. */
  static List<StateKind> states(ExchangeOptions options) {
    return OuterStep.of(options).isPresent() ? List.of(BASE, VELOCITY) : List.of(BASE);
  }

  /** Notes that this rank is about to change its weights independently. */
  void weightsChange() {
    if (base.length == 0) {
      base = weights.get().clone();
    }
  }

  /** Returns the mean, {@code float[length]}; only after {@link #weightsChange()}. */
  float[] values() {
    return base;
  }

  /** Returns whether an element is a running statistic. */
  boolean isExact(int element) {
    return exact.get(element);
  }

  /** Returns the mean and, with an outer step, its velocity, not copied. */
  float[][] vectors() {
    weightsChange();
    if (outer.isEmpty()) {
      return new float[][] {base};
    }
    prepareVelocity();
    return new float[][] {base, velocity};
  }

  private void prepareVelocity() {
    if (outer.isPresent() && velocity.length == 0) {
      velocity = new float[length];
    }
  }

  /**
   * Moves the mean over a range.
   *
   * @param sum sum of moves
   * @param weight divisor that makes it the mean move
   */
  void move(Range range, Slice sum, float weight) {
    prepareVelocity();
    int shift = sum.offset() - range.start();
    for (int i = range.start(); i < range.end(); i++) {
      float move = sum.array()[shift + i] / weight;
      base[i] += outer.isEmpty() || exact.get(i) ? move : outerStep(outer.get(), i, move);
    }
  }

  private float outerStep(OuterStep step, int element, float move) {
    velocity[element] = step.velocity(velocity[element], move);
    return step.step(velocity[element], move);
  }

  /** Returns the number of vectors of the model's length in memory. */
  int keptVectors() {
    return outer.isPresent() ? 2 : 1;
  }

  /** Returns the states to save. */
  List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    states.add(new LastingState(BASE, this::writeBase, this::readBase));
    if (outer.isPresent()) {
      states.add(new LastingState(VELOCITY, this::writeVelocity, this::readVelocity));
    }
    return states;
  }

  private void writeBase(DataOutput out) throws IOException {
    StateVectors.write(out, base.length == 0 ? weights.get() : base);
  }

  private void readBase(DataInput in) throws IOException {
    base = StateVectors.readFinite(in, length, "base");
  }

  private void writeVelocity(DataOutput out) throws IOException {
    StateVectors.write(out, velocity.length == 0 ? new float[length] : velocity);
  }

  private void readVelocity(DataInput in) throws IOException {
    velocity = StateVectors.readFinite(in, length, "velocity");
  }
}
