package dev.braid.exchange.participation;

import java.io.Serializable;
import java.util.List;

/**
 * What ranks and the arbiter tell each other. It goes over a control plane that links' failures do
 * not touch, and arrives once and in order between the arbiter and each rank.
 */
public sealed interface ViewMessage extends Serializable {

  /** From the arbiter to every rank. */
  sealed interface ToRank extends ViewMessage {}

  /** From a rank to the arbiter. */
  sealed interface ToArbiter extends ViewMessage {}

  /** Answer {@link Here} at once. */
  record Call(long poll) implements ToRank {}

  /** Let your neighbours hear you, and answer {@link Heard}. Rounds go on meanwhile. */
  record Listen(long poll) implements ToRank {}

  /** Complete no round from now on, until the next {@link Enter}; answer {@link Stopped}. */
  record Stop(long poll) implements ToRank {}

  /** Go on in this view, or, if you are not in it, stop computing. */
  record Enter(View view) implements ToRank {}

  /** Another rank is silent: no way to it has been found for too long. */
  record Silent(int other) implements ToArbiter {}

  /** The sender, which is left out, hears a member again and is heard by it. */
  record Reachable(int other) implements ToArbiter {}

  /** The answer to {@link Call}. */
  record Here(long poll) implements ToArbiter {}

  /** The answer to {@link Listen}: which neighbours are heard. */
  record Heard(long poll, List<Integer> ranks) implements ToArbiter {
    public Heard {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * The answer to {@link Stop}.
   *
   * @param view the present view's number if the sender has its model; else a smaller one, which
   *     says only that it has not
   * @param completedRounds how many rounds of that model are complete; without it, nothing
   */
  record Stopped(long poll, long view, long completedRounds) implements ToArbiter {}
}
