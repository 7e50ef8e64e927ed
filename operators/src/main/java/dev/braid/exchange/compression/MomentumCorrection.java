package dev.braid.exchange.compression;

import dev.braid.codec.SparseValues;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateVectors;
import java.io.DataInput;
import java.io.IOException;

/**
 * Nesterov's momentum at each worker, before its gradients are compressed, in the place of that of
 * the optimiser behind the sum (Lin, Han, Mao, Wang and Dally, "Deep Gradient Compression", ICLR
 * 2018, §3.2 and 3.3).
 *
 * <p>Behind a sum of which most elements are 0 in most rounds, momentum is of what happened to be
 * sent: an element that was kept back for a hundred rounds comes as one step, and pushes on for ten
 * more. Here each gradient brings its momentum into what is kept, round by round, and the optimiser
 * takes plain steps. When an element is sent, its velocity becomes 0: what it would add yet is of a
 * model that is as old as what was kept back.
 */
final class MomentumCorrection {

  /** What the gradients before add to the next one. */
  static final StateKind VELOCITY =
      new StateKind(Compression.Corrected.VELOCITY, 1, StateKind.Rescaling.SUM);

  private final float momentum;

  /** The gradient with its momentum. */
  private final float[] corrected;

  private float[] velocity;

  /** Of the round before, where the last one may be set back. */
  private float[] velocityBefore;

  MomentumCorrection(float momentum, int length, boolean mayBeSetBack) {
    this.momentum = momentum;
    this.corrected = new float[length];
    this.velocity = new float[length];
    this.velocityBefore = new float[mayBeSetBack ? length : 0];
  }

  /** What takes the place of a gradient, until the next. */
  float[] corrected(float[] gradient) {
    for (int i = 0; i < corrected.length; i++) {
      corrected[i] = gradient[i] + momentum * (velocity[i] + gradient[i]);
    }
    return corrected;
  }

  /** A gradient's round is complete: these elements were sent. */
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

  /** The last round that was complete is not any more. */
  void setBack() {
    float[] ofRound = velocity;
    velocity = velocityBefore;
    velocityBefore = ofRound;
  }

  /** How many vectors it keeps. */
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
