package dev.braid.exchange.participation;

import dev.braid.exchange.participation.ViewMessage.ToRank;

/**
 * Operations of an exchange that continues without ranks that are left out, in {@linkplain View
 * views}.
 *
 * <p>With a new view, the exchange sets back the round in progress. The rank contributes to it
 * again with the same gradient, if it may compute. {@link
 * dev.braid.exchange.Exchange#completedRounds()} may increase by one without an update, if a rank's
 * gradient is in a sum that others have and the rank lacks. It may decrease by one, if a rank that
 * is left out has completed a round that no member of the view has.
 */
public interface Elastic {

  /** Processes a message from the arbiter. */
  void handle(ToRank message);

  /** Returns the latest view. */
  View view();

  /**
   * Returns whether the rank's model is that of the view: the rank is a member, and waits for no
   * copy. Otherwise it may not compute, and a contribution is an error.
   */
  boolean isCurrent();
}
