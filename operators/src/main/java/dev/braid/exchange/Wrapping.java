package dev.braid.exchange;

import java.util.Optional;

/**
 * An exchange that wraps another. It implements the optional interfaces whose behaviour it changes;
 * the wrapped exchange has the others. A wrapper therefore forwards only the methods common to all
 * exchanges and cannot lose an optional ability.
 */
public interface Wrapping {

  /** Returns the wrapped exchange. */
  Exchange wrapped();

  /** Returns the exchange, or the outermost one it wraps, that implements an interface, if any. */
  static <T> Optional<T> find(Exchange exchange, Class<T> contract) {
    if (contract.isInstance(exchange)) {
      return Optional.of(contract.cast(exchange));
    }
    return exchange instanceof Wrapping around
        ? find(around.wrapped(), contract)
        : Optional.empty();
  }
}
