package dev.braid.loop.coordinator;

/** The hold of the loop for one checkpoint: its stage, and the receiver of its outcome. */
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
  private final HoldOutcome outcome;

  private Stage stage = Stage.FREEZING;
  private boolean aborted;
  private long rounds;

  LoopHold(long checkpoint, HoldOutcome outcome) {
    this.checkpoint = checkpoint;
    this.outcome = outcome;
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

  /** Lets Flink take the checkpoint, with this state of the coordinator. */
  void pass(byte[] state) {
    outcome.held(state);
  }

  /** Cancels the checkpoint because ranks are unreachable. */
  void decline(String reason) {
    outcome.declined(reason);
  }

  /** Cancels the checkpoint because not all members are running. */
  void fail(String reason) {
    outcome.failed(reason);
  }
}
