package dev.braid.exchange.compression;

import dev.braid.exchange.Synchronous;

/** A synchronous exchange whose gradients are compressed. */
final class CompressedSynchronous extends Compressed<Synchronous> implements Synchronous {

  CompressedSynchronous(Parts parts, Synchronous exchange) {
    super(parts, exchange);
  }

  @Override
  boolean countsOwn(long round) {
    return wrapped().countsOwnGradient(round);
  }

  @Override
  public boolean waitsForAll() {
    return wrapped().waitsForAll();
  }

  @Override
  public void enter(long round, boolean isLastOfEpoch) {
    wrapped().enter(round, isLastOfEpoch);
    afterEachCall();
  }

  @Override
  public boolean usesAllSamples() {
    return wrapped().usesAllSamples();
  }

  @Override
  public boolean countsOwnGradient(long round) {
    return wrapped().countsOwnGradient(round);
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
