package dev.braid.loop.coordinator;

import java.util.concurrent.CompletableFuture;

/** The hold of the loop for one checkpoint: how far it has come, and who waits for it. */
final class LoopHold {

  enum Stage {
    /** Members are freezing. */
    FREEZING,
    /** Members are on their way to the round to hold after. */
    MEMBERS,
    /** Members are held, and those follow that are left out of the view. */
    LEFT_OUT
  }

  private final long checkpoint;
  private final CompletableFuture<byte[]> future;

  private Stage stage = Stage.FREEZING;
  private boolean aborted;
  private long rounds;

  /**
   * @param future of the coordinator's state; Flink takes no snapshot before it is complete
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

  /** The number of rounds after which members are held. */
  long rounds() {
    return rounds;
  }

  /** A member has completed so many: nobody is held before. */
  void goOnTo(long completedRounds) {
    rounds = Math.max(rounds, completedRounds);
  }

  /** Another view says after how many. */
  void holdAfter(long newRounds) {
    rounds = newRounds;
  }

  /** Flink has given the checkpoint up; members are held all the same, and then go on. */
  void abort() {
    aborted = true;
  }

  boolean isAborted() {
    return aborted;
  }

  /** The checkpoint may be taken. */
  void pass(byte[] state) {
    future.complete(state);
  }

  /** The checkpoint is declined. */
  void fail(Exception reason) {
    future.completeExceptionally(reason);
  }
}
