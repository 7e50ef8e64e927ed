package dev.braid.loop.coordinator;

/**
 * Receives the coordinator's answer to a checkpoint. No member takes a snapshot before it. An
 * aborted checkpoint has no answer.
 */
public interface HoldOutcome {

  /**
   * Starts the checkpoint: all members are held, or the loop is empty for good.
   *
   * @param state state of the coordinator for the checkpoint
   */
  void held(byte[] state);

  /** Cancels the checkpoint because ranks are unreachable. Training continues. */
  void declined(String reason);

  /** Cancels the checkpoint because not all members are running or the job ends. */
  void failed(String reason);
}
