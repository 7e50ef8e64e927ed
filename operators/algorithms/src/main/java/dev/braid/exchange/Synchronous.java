package dev.braid.exchange;

/**
 * An exchange in which ranks wait for each other and all end with the same model. If each round
 * waits for all gradients and no rank is excluded, a run can be repeated bit for bit. The model is
 * updated only in {@link #contribute} and in calls before which the rank may not compute; or, if a
 * round {@linkplain #waitsForAll() need not wait} for all gradients, while a rank is in that round.
 *
 * <p><b>A checkpoint</b> empties the loop, so that no message that counts is in flight. It
 * completes the last joint round of any rank everywhere and rolls back everything beyond. It makes
 * the following calls to each rank's exchange, in this order:
 *
 * <pre>
 *   rank receives  rank answers    calls to its exchange
 *   -------------  ------------    ---------------------
 *   Freeze         Frozen(rounds)  freeze(), jointRounds(); nothing is contributed from this
 *                                  point, and messages wait
 *   HoldAfter(r)                   receive(), waiting messages first, until isThrough(r)
 *                  Held            rollBack()
 *   barrier                        the Stateful states are written with the model
 *                  Resumed         resume(), then contribute() again what was rolled back
 * </pre>
 *
 * <p>Before Freeze, every rank has verified that Flink's network delivers data from every other
 * rank ({@code PathProbes}). No checkpoint begins until it does, although an exchange may route
 * around the failure. Links that chaos events cut do not matter for this check. In the table, r is
 * the largest number of joint rounds that any rank (of the view, if there are views) has reported.
 * All gradients that other ranks lack were therefore contributed before, and the first r rounds
 * complete everywhere without further contributions. A rank that is through is rolled back at once,
 * before another message can complete one more round. The barrier is released when all ranks are
 * held. Events in the meantime:
 *
 * <ul>
 *   <li><b>Deadlines</b> occur in every phase (frozen or held). The exchange may retransmit lost
 *       messages. Between Freeze and HoldAfter it completes no round, because it has already
 *       reported their number.
 *   <li><b>Messages</b> wait between Freeze and HoldAfter for the same reason; only messages about
 *       which ranks are heard ({@link dev.braid.exchange.message.Presence}) are delivered at any
 *       time. A held rank receives messages of ranks that are not held yet if it {@linkplain
 *       #servesWhileHeld() serves while held}; otherwise they are dropped. Each rank resumes right
 *       after its own snapshot. Messages that it then sends wait at ranks that are still held, and
 *       are delivered after their {@link #resume()}. A rank that has resumed receives no message
 *       sent before the rollback.
 *   <li><b>The checkpoint is aborted</b>: the sequence is not cut short. All ranks are held first,
 *       and then resume. Possibly no state was written. The checkpoint is never declined, unlike
 *       that of an {@linkplain Asynchronous asynchronous} exchange.
 *   <li><b>A rank is unreachable</b>: ranks that need it to be through wait, frozen.
 *   <li><b>A rank is unreachable, and the exchange uses {@linkplain
 *       dev.braid.exchange.participation.Elastic views}</b> (other exchanges need not know this
 *       case): the other ranks stop and enter a view without it, either before the checkpoint
 *       begins or between HoldAfter and the time when all members of the view are held. In the
 *       latter case HoldAfter is sent again, also to ranks that are held, with the view's first
 *       round: r, or r − 1 if only excluded ranks have completed r. A rank that was held is not
 *       rolled back again. If it is behind, it receives a copy of a replica; this is the only
 *       change of the model while a rank is held. Excluded ranks are held last: each drops its
 *       batches of the rounds before r and is then held. The host answers for excluded ranks and
 *       for ranks that wait for a copy; neither count for r.
 * </ul>
 *
 * <p>A run also begins with {@link #resume()}; a restored run calls it right after its states are
 * read.
 */
public non-sealed interface Synchronous extends Exchange {

  /**
   * Returns the number of joint steps (rounds, or averages) that are complete at this rank, or that
   * need no more gradients and cannot be rolled back. A checkpoint completes the last joint step of
   * any rank at all ranks.
   */
  default long jointRounds() {
    return completedRounds();
  }

  /**
   * Returns whether this rank has nothing left to do for this number of first joint rounds. A rank
   * that both serves and computes may have completed a round in one role but not in the other.
   */
  default boolean isThrough(long rounds) {
    return jointRounds() >= rounds;
  }

  /**
   * Returns whether each round waits for all ranks' gradients. If not, a round may complete while
   * this rank still computes a gradient for it, which is then useless; and the host reports each
   * round that the rank {@linkplain #enter enters}.
   */
  default boolean waitsForAll() {
    return true;
  }

  /**
   * Reports that the rank has entered a round: it has the round's batch, and no end of an epoch is
   * pending. The round may be completed without the rank's gradient from this call on, but not
   * before. Called once per round, in order, and again after {@link #resume()}. While the loop is
   * being held, called only for rounds that the checkpoint completes.
   *
   * @param round the round, equal to {@link #completedRounds()}
   * @param isLastOfEpoch whether an epoch ends with this round at all ranks
   */
  default void enter(long round, boolean isLastOfEpoch) {}

  /**
   * Returns whether a round that is complete without a rank's gradient has nevertheless used the
   * rank's samples, because other ranks compute them, too.
   */
  default boolean usesAllSamples() {
    return false;
  }

  /**
   * Returns whether the sum of a complete round contains the gradient that this rank contributed. A
   * round that does not wait for all gradients leaves out late ones. The result has no meaning for
   * a round to which this rank has not contributed.
   *
   * @param round a complete round; asked right after the call that completed it
   */
  default boolean countsOwnGradient(long round) {
    return true;
  }

  /**
   * Notes that nothing may be contributed until {@link #resume()}, because the loop is being held.
   * Only an exchange that contributes independently of {@link #contribute} needs to know.
   */
  default void freeze() {}

  /**
   * Discards all data of incomplete rounds: contributions, received values and partial sums. The
   * caller ensures that no message of those rounds arrives after {@link #resume()}; nor before it,
   * unless the exchange {@linkplain #servesWhileHeld() serves while held}. After this call the
   * exchange is in the state that its {@linkplain Stateful states} capture.
   */
  void rollBack();

  /**
   * Returns whether this exchange receives messages between a rollback and {@link #resume()}. Where
   * messages can be lost, a rank that has completed the last round still answers ranks that lag.
   * The exchange drops messages of rounds that were rolled back. On the transport of an {@code
   * ExchangeRunner} this does not matter: the transport itself receives messages in that time, and
   * delivers none of them to the exchange.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /**
   * Returns whether all ranks have the same model at a checkpoint. If not, each rank's model is
   * saved, and restored only with the same number of ranks.
   */
  default boolean replicasAgree() {
    return true;
  }
}
