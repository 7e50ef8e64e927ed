package dev.braid.exchange.participation;

import dev.braid.exchange.participation.ViewMessage.ToRank;

/**
 * What an exchange is besides that goes on without ranks that are left out, in {@linkplain View
 * views}.
 *
 * <p>With a new view it sets back the round that is under way: the rank contributes to it again if
 * it may compute, with the same gradient. {@link dev.braid.exchange.Exchange#completedRounds()} may
 * go up by one without an update, where a rank's gradient is in a sum that others have and it has
 * not; or down by one, where a rank that is left out has completed a round that no member of the
 * view has.
 */
public interface Elastic {

  /** The arbiter has said something. */
  void handle(ToRank message);

  /** The latest view. */
  View view();

  /**
   * Whether the rank's model is that of the view: it is in it, and waits for no copy. If not, it
   * may not compute, and a contribution is an error.
   */
  boolean isCurrent();
}
