package dev.braid.exchange.participation;

import java.util.Optional;

/**
 * How the ranks of an exchange determine which ranks take part. Each exchange declares it by {@link
 * dev.braid.exchange.Exchange#participation()}. The record's component defines the operations that
 * it requires of the exchange.
 */
public sealed interface Participation {

  /** All ranks take part, and are waited for even if they fail. */
  record OfAll() implements Participation {}

  /**
   * Ranks agree: one arbiter decides which ranks are in the view, and an excluded rank rejoins with
   * a copy of a replica. For exchanges in which a round needs the same ranks everywhere.
   */
  record InViews(Elastic exchange) implements Participation {}

  /**
   * Each rank continues without ranks that do not answer it, as long as it hears a majority. For
   * exchanges in which no round needs all ranks, so that ranks need not agree. The creator of such
   * an exchange provides its transport, because the transport knows which ranks answer.
   */
  record ByRollCall(Attendance exchange) implements Participation {}

  /** Returns the exchange if it works in views. */
  default Optional<Elastic> elastic() {
    return this instanceof InViews views ? Optional.of(views.exchange()) : Optional.empty();
  }

  /** Returns the exchange if it works by roll calls. */
  default Optional<Attendance> attendance() {
    return this instanceof ByRollCall called ? Optional.of(called.exchange()) : Optional.empty();
  }
}
