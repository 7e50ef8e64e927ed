package dev.braid.exchange.state;

import java.util.List;
import java.util.Optional;

/**
 * Format of an exchange's state in a checkpoint. Only the same exchange can read it, each state in
 * the same version; other exchanges resume from the model only.
 *
 * @param exchange name of the exchange and of the options that its state depends on, as in {@code
 *     ps ssp}
 * @param states kinds of state that the exchange writes
 */
public record StateFormat(String exchange, List<StateKind> states) {

  public StateFormat {
    states = List.copyOf(states);
  }

  /** Returns whether the same exchange has written another format, in any versions. */
  public boolean isOfSameExchange(StateFormat other) {
    return exchange.equals(other.exchange);
  }

  /** Returns the kind of state with a name, if there is one. */
  public Optional<StateKind> state(String name) {
    return states.stream().filter(state -> state.name().equals(name)).findFirst();
  }

  /** Returns a state that the same exchange has in another version in the other format, if any. */
  public Optional<StateKind> inAnotherVersion(StateFormat other) {
    return states.stream()
        .filter(
            state ->
                isOfSameExchange(other)
                    && other
                        .state(state.name())
                        .filter(its -> its.version() != state.version())
                        .isPresent())
        .findFirst();
  }
}
