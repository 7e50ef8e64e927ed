package dev.braid.exchange.compression;

import dev.braid.exchange.Synchronous;

/** A synchronous exchange whose gradients are compressed. */
final class CompressedSynchronous extends Compressed<Synchronous> implements Synchronous {

  CompressedSynchronous(Parts parts, Synchronous exchange) {
    super(parts, exchange);
    if (!exchange.waitsForAll()) {
      throw new IllegalArgumentException(
          "a round that is complete without a gradient says nothing of what was sent of it");
    }
  }

  @Override
  public long jointRounds() {
    return wrapped().jointRounds();
  }

  @Override
  public boolean isThrough(long rounds) {
    return wrapped().isThrough(rounds);
  }

  @Override
  public void rollBack() {
    wrapped().rollBack();
  }

  @Override
  public boolean servesWhileHeld() {
    return wrapped().servesWhileHeld();
  }

  @Override
  public boolean replicasAgree() {
    return wrapped().replicasAgree();
  }
}
