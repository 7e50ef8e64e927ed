package dev.braid.exchange.compression;

import dev.braid.codec.SparseValues;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateVectors;
import java.io.DataInput;
import java.io.IOException;

/**
 * Nesterov's momentum at each worker, applied before its gradients are compressed. It replaces the
 * momentum of the optimiser that follows the sum (Lin, Han, Mao, Wang and Dally, "Deep Gradient
 * Compression", ICLR 2018, §3.2 and 3.3).
 *
 * <p>If most elements of a sum are 0 in most rounds, momentum after the sum depends on what
 * happened to be sent. An element that was kept back for a hundred rounds arrives as one step, and
 * then pushes on for ten more. Here each gradient adds its momentum to what is kept, round by
 * round, and the optimiser takes plain steps. When an element is sent, its velocity becomes 0: what
 * it would still add belongs to a model that is as old as what was kept back.
 */
final class MomentumCorrection {

  /** The velocity: what earlier gradients add to the next one. */
  static final StateKind VELOCITY =
      new StateKind(Compression.Corrected.VELOCITY, 1, StateKind.Rescaling.SUM);

  private final float momentum;

  /** The gradient with its momentum, {@code float[length]}. */
  private final float[] corrected;

  private float[] velocity;

  /**
   * The velocity of the previous round, {@code float[length]} if the last round may be set back,
   * else empty.
   */
  private float[] velocityBefore;

  MomentumCorrection(float momentum, int length, boolean mayBeSetBack) {
    this.momentum = momentum;
    this.corrected = new float[length];
    this.velocity = new float[length];
    this.velocityBefore = new float[mayBeSetBack ? length : 0];
  }

  /** Returns a gradient with its momentum. The array is reused by the next call. */
  float[] corrected(float[] gradient) {
    for (int i = 0; i < corrected.length; i++) {
      corrected[i] = gradient[i] + momentum * (velocity[i] + gradient[i]);
    }
    return corrected;
  }

  /**
   * Updates the velocity when a gradient's round is complete.
   *
   * @param taken the elements that were sent, whose velocity becomes 0
   */
  void isSent(float[] gradient, SparseValues taken) {
    float[] before = velocity;
    if (velocityBefore.length > 0) {
      velocity = velocityBefore;
      velocityBefore = before;
    }
    for (int i = 0; i < velocity.length; i++) {
      velocity[i] = momentum * (before[i] + gradient[i]);
    }
    taken.clearIn(velocity);
  }

  /** Sets back the last round: it is not complete after all. */
  void setBack() {
    float[] ofRound = velocity;
    velocity = velocityBefore;
    velocityBefore = ofRound;
  }

  /** Returns how many vectors of the model's length are kept. */
  int vectors() {
    return velocityBefore.length > 0 ? 3 : 2;
  }

  LastingState state() {
    return new LastingState(VELOCITY, out -> StateVectors.write(out, velocity), this::read);
  }

  private void read(DataInput in) throws IOException {
    velocity = StateVectors.readFinite(in, velocity.length, "velocity");
  }
}
