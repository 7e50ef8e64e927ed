package dev.braid.exchange.sharing;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/** The steps of a model along its rank's own gradients and along other ranks' updates. */
final class UpdateSteps {

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;

  /**
   * {@code float[length]} for values that are not in memory one by one, at their indices in the
   * model; empty until needed.
   */
  private float[] scratch = {};

  UpdateSteps(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
  }

  /** Takes a step along this rank's own gradient, unless it has no samples. */
  void own(Contribution local) {
    if (local.samples() > 0) {
      step(whole, Slice.view(local.gradient(), whole), local.samples());
    }
  }

  /** Takes a step along a part of an update. */
  void along(SharedUpdate update) {
    if (!update.range().isEmpty()) {
      step(update.range(), values(update), update.samples());
    }
  }

  private void step(Range range, Slice values, long samples) {
    port.update(Update.GradientSum.atOwnPace(config, range, values, samples));
  }

  /** Returns the values of an update, without copying them if they are in memory one by one. */
  private Slice values(SharedUpdate update) {
    if (update.payload() instanceof Payload.InMemory inMemory) {
      return inMemory.values();
    }
    if (scratch.length == 0) {
      scratch = new float[whole.length()];
    }
    update.payload().copyTo(scratch, update.range().start());
    return Slice.view(scratch, update.range());
  }

  /** Returns the number of vectors of the model's length that are kept here. */
  int vectors() {
    return scratch.length > 0 ? 1 : 0;
  }
}
