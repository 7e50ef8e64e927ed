package dev.braid.exchange;

/**
 * An exchange in which ranks wait for each other, and all end with the same model. Where each round
 * waits for all gradients and nobody is left out, a run can be repeated bit for bit. The model is
 * updated only while they may not compute; or, where a round {@linkplain #waitsForAll() need not
 * wait} for all gradients, while a rank is in that round.
 *
 * <p><b>A checkpoint</b> empties the loop, that is, leaves no message under way that counts, by
 * bringing the last joint round of any rank to its end, and rolling back what is beyond. From one
 * rank's exchange it wants this, in this order:
 *
 * <pre>
 *   rank is told   rank answers    its exchange
 *   ------------   ------------    ------------
 *   Freeze         Frozen(rounds)  jointRounds(); nothing is contributed from now on, and
 *                                  messages wait
 *   HoldAfter(r)                   receive(), first what has waited, until isThrough(r)
 *                  Held            rollBack()
 *   barrier                        its Stateful states are written, with the model
 *                  WentOn          goOn(), then contribute() again what was rolled back
 * </pre>
 *
 * <p>Before Freeze, every rank has found that Flink's network carries something from every other
 * ({@code PathProbes}): while it does not, no checkpoint begins, though an exchange may go around
 * it. Links that chaos events cut do not count there. Here r is the most joint rounds that any rank
 * of the view, if there are views, has told. So all gradients that the others lack were contributed
 * before, and they come to the end of the first r rounds without another. A rank that is through is
 * rolled back at once, before another message could complete a round more. The barrier comes when
 * all ranks are held. What may happen meanwhile:
 *
 * <ul>
 *   <li><b>Deadlines</b> come as ever, frozen or held. The exchange may send again what was lost;
 *       but between Freeze and HoldAfter it completes no round, as it has told how many are.
 *   <li><b>Messages</b> wait between Freeze and HoldAfter, for the same reason; only those that
 *       tell who is heard ({@link dev.braid.exchange.message.Presence}) come at any time. To a rank
 *       that is held come those of ranks that are not, if it {@linkplain #servesWhileHeld() serves
 *       while held}; else they are dropped. Each rank goes on right after its own snapshot: what it
 *       sends then waits at those that are still held, and comes after their {@link #goOn()}. What
 *       was sent before the roll-back never does.
 *   <li><b>The checkpoint is aborted</b>: it is not cut short. All ranks are held first, and then
 *       go on; nothing may have been written. It is never declined, as an {@linkplain Asynchronous
 *       asynchronous} one may be.
 *   <li><b>A rank cannot be reached</b>: if others need it to be through, they wait, frozen. Where
 *       ranks go {@linkplain dev.braid.exchange.participation.Elastic by views}, they stop, and
 *       enter one without it. The checkpoint does not begin before they have; or they do so between
 *       HoldAfter and the time when all members of the view are held. Then HoldAfter is said again,
 *       also to ranks that are held, with the view's first round: r, or one less, if only ranks
 *       that are left out have completed r. A rank that was held is not rolled back again; if it is
 *       behind, a copy of a replica takes it there, the only change of the model while a rank is
 *       held. Ranks that are left out are held last: each drops its batches of the rounds before r,
 *       and is held when it is there. The host answers for those, and for ranks that wait for a
 *       copy: neither counts for r.
 * </ul>
 *
 * <p>A run begins with {@link #goOn()} as well, one that is restored right after its states are
 * read.
 */
public non-sealed interface Synchronous extends Exchange {

  /**
   * How many steps that all ranks take together (rounds, or averages) are complete here, or can no
   * longer be rolled back and need no more gradients. A checkpoint brings the last one of any rank
   * to its end.
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
   * Whether each round waits for all ranks' gradients. If not, a rank may find a round complete in
   * the midst of its gradient, which nobody needs any more; and is told which round it {@linkplain
   * #enter enters}.
   */
  default boolean waitsForAll() {
    return true;
  }

  /**
   * The rank is in a round: it has its batch, and no epoch's end to see to. From now on the round
   * may be completed without its gradient, and not before. Said once for each round, in order, and
   * again after {@link #goOn()}; while the loop is being held only for rounds that are to be
   * complete then.
   *
   * @param round {@link #completedRounds()}
   * @param isLastOfEpoch whether an epoch ends with it, at all ranks
   */
  default void enter(long round, boolean isLastOfEpoch) {}

  /**
   * Whether a round that is complete without a rank's gradient has used the rank's samples all the
   * same, as others have computed them, too.
   */
  default boolean usesAllSamples() {
    return false;
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
