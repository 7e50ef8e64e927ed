package dev.braid.exchange;

/**
 * Whose state a checkpoint has of an exchange. Only the same exchange can read it, in the same
 * version; others go on from the model alone.
 *
 * @param exchange its name, with those choices that the state depends on, as in {@code ps ssp}
 * @param version of the form in which it writes its state
 */
public record StateFormat(String exchange, int version) {

  /** Whether the same exchange has written the other, in whatever version. */
  public boolean isOfSameExchange(StateFormat other) {
    return exchange.equals(other.exchange);
  }
}
