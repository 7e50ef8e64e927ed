package dev.braid.exchange.participation;

import java.util.Optional;

/**
 * How the ranks of an exchange come to know who takes part, which each exchange declares: {@link
 * dev.braid.exchange.Exchange#participation()}. What an exchange has to do for it is the contract
 * in the record.
 */
public sealed interface Participation {

  /** All ranks take part, and are waited for, whatever becomes of them. */
  record OfAll() implements Participation {}

  /**
   * Ranks agree: one arbiter decides who is in the view, and a rank that was left out comes back
   * with a copy of a replica. For exchanges in which a round needs the same ranks everywhere.
   */
  record InViews(Elastic exchange) implements Participation {}

  /**
   * Each rank goes on without those that do not answer it, as long as it hears a majority. For
   * exchanges in which no round needs all ranks, so that they need not agree. The exchange has its
   * transport from whoever makes it, as that is where it is known who answers.
   */
  record ByRollCall(Attendance exchange) implements Participation {}

  /** The exchange as one that goes by views, if it is. */
  default Optional<Elastic> elastic() {
    return this instanceof InViews views ? Optional.of(views.exchange()) : Optional.empty();
  }

  /** The exchange as one that goes by roll calls, if it is. */
  default Optional<Attendance> attendance() {
    return this instanceof ByRollCall called ? Optional.of(called.exchange()) : Optional.empty();
  }
}
