package dev.braid.exchange;

/**
 * An exchange in which ranks wait for each other, so that a run can be repeated bit for bit, and
 * ends with the same model at all. The model is updated only while they may not compute.
 *
 * <p>A checkpoint empties the loop by bringing the last joint round of any rank to its end, and
 * rolling back what is beyond.
 */
public non-sealed interface Synchronous extends Exchange {

  /**
   * How many steps are complete that all ranks take together: rounds, or averages; or are so far
   * that they can not be rolled back any more, and need no gradient to be completed. A checkpoint
   * brings the last one of any rank to its end.
   */
  default long jointRounds() {
    return completedRounds();
  }

  /**
   * Whether this rank has nothing left to do for the first so many joint rounds. One that both
   * serves and computes may have completed a round in the one role and not yet in the other.
   */
  default boolean isThrough(long rounds) {
    return jointRounds() >= rounds;
  }

  /**
   * Whether the sum of a complete round has this rank's gradient, which it has contributed to it. A
   * round need not wait for all gradients; one that came too late is not in it. A rank that has not
   * contributed to a round that is complete has no part in it, whatever this says.
   *
   * @param round the one that the rank finds complete, right after the call that has completed it
   */
  default boolean countsOwnGradient(long round) {
    return true;
  }

  /**
   * Forgets all that belongs to rounds which are not complete: what was contributed, received and
   * partly reduced. The caller sees to it that no message of those rounds arrives after {@link
   * #goOn()}, and, unless the exchange {@linkplain #servesWhileHeld() serves while held}, none
   * before. After this the exchange is in the state that its {@linkplain Stateful states} capture.
   */
  void rollBack();

  /**
   * Whether messages that come between a roll-back and {@link #goOn()} are for this exchange. Where
   * messages can be lost, a rank that has come to the end of the last round still answers those
   * that lag. Among them are some of rounds that were rolled back: it drops these.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /**
   * Whether a checkpoint finds the same model at all ranks. If not, each rank's is saved, and
   * restored at the same number of ranks.
   */
  default boolean replicasAgree() {
    return true;
  }
}
