package dev.braid.loop.coordinator;

import java.util.concurrent.CompletableFuture;

/** The hold of the loop for one checkpoint: its stage, and the future that waits for it. */
final class LoopHold {

  enum Stage {
    /** Members are freezing. */
    FREEZING,
    /** Members are on their way to the round to hold after. */
    MEMBERS,
    /** Members are held; those that are excluded from the view follow. */
    LEFT_OUT
  }

  private final long checkpoint;
  private final CompletableFuture<byte[]> future;

  private Stage stage = Stage.FREEZING;
  private boolean aborted;
  private long rounds;

  /**
   * @param future receives the coordinator's state; Flink takes no snapshot before it is complete
   */
  LoopHold(long checkpoint, CompletableFuture<byte[]> future) {
    this.checkpoint = checkpoint;
    this.future = future;
  }

  long checkpoint() {
    return checkpoint;
  }

  Stage stage() {
    return stage;
  }

  void become(Stage next) {
    stage = next;
  }

  /** Returns the number of rounds after which members are held. */
  long rounds() {
    return rounds;
  }

  /** Raises the number of rounds to hold after to the number that a member has completed. */
  void raiseTo(long completedRounds) {
    rounds = Math.max(rounds, completedRounds);
  }

  /** Sets the number of rounds to hold after, because the view has changed. */
  void holdAfter(long newRounds) {
    rounds = newRounds;
  }

  /** Marks the checkpoint as cancelled by Flink; members are held all the same, and then resume. */
  void abort() {
    aborted = true;
  }

  boolean isAborted() {
    return aborted;
  }

  /** Lets Flink take the checkpoint. */
  void pass(byte[] state) {
    future.complete(state);
  }

  /** Declines the checkpoint. */
  void fail(Exception reason) {
    future.completeExceptionally(reason);
  }
}
