package dev.braid.exchange;

import java.util.Optional;

/**
 * An exchange around another: it has the contracts that it changes, and the other has the rest. So
 * whoever wraps an exchange forwards what all have, and cannot lose what only some have.
 */
public interface Wrapping {

  /** The exchange within. */
  Exchange wrapped();

  /** An exchange, or one that it wraps, as what it is besides; empty if none of them is that. */
  static <T> Optional<T> find(Exchange exchange, Class<T> contract) {
    if (contract.isInstance(exchange)) {
      return Optional.of(contract.cast(exchange));
    }
    return exchange instanceof Wrapping around
        ? find(around.wrapped(), contract)
        : Optional.empty();
  }
}
