package dev.braid.exchange.participation;

import java.io.Serializable;
import java.util.List;

/**
 * Messages between ranks and the arbiter. They use a control plane that link failures do not
 * affect, and arrive once and in order between the arbiter and each rank.
 */
public sealed interface ViewMessage extends Serializable {

  /** A message from the arbiter to a rank. */
  sealed interface ToRank extends ViewMessage {}

  /** A message from a rank to the arbiter. */
  sealed interface ToArbiter extends ViewMessage {}

  /** Asks the rank to answer {@link Here} at once. */
  record Call(long poll) implements ToRank {}

  /**
   * Asks the rank to let its neighbours hear it, and to answer {@link Heard}. Rounds continue
   * meanwhile.
   */
  record Listen(long poll) implements ToRank {}

  /**
   * Asks the rank to complete no round until the next {@link Enter}, and to answer {@link Stopped}.
   */
  record Stop(long poll) implements ToRank {}

  /**
   * Puts a view into force. A member continues in it; a rank that is not a member stops computing.
   */
  record Enter(View view) implements ToRank {}

  /** Reports that another rank is silent: no route to it has been found for too long. */
  record Silent(int other) implements ToArbiter {}

  /** Reports that the sender, which is left out, and a member hear each other again. */
  record Reachable(int other) implements ToArbiter {}

  /** Answers {@link Call}. */
  record Here(long poll) implements ToArbiter {}

  /** Answers {@link Listen} with the neighbours that are heard. */
  record Heard(long poll, List<Integer> ranks) implements ToArbiter {
    public Heard {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * Answers {@link Stop}.
   *
   * @param view number of the current view if the sender has its model; otherwise any smaller
   *     number
   * @param completedRounds number of complete rounds of that model; meaningless without the model
   */
  record Stopped(long poll, long view, long completedRounds) implements ToArbiter {}
}
