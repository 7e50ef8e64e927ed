package dev.braid.exchange.state;

import java.util.List;
import java.util.Optional;

/**
 * Whose state a checkpoint has of an exchange. Only the same exchange can read it, each state in
 * the same version; others go on from the model alone.
 *
 * @param exchange its name, with those choices that the state depends on, as in {@code ps ssp}
 * @param states what it writes
 */
public record StateFormat(String exchange, List<StateKind> states) {

  public StateFormat {
    states = List.copyOf(states);
  }

  /** Whether the same exchange has written the other, in whatever versions. */
  public boolean isOfSameExchange(StateFormat other) {
    return exchange.equals(other.exchange);
  }

  /** The state of a name, if there is one. */
  public Optional<StateKind> state(String name) {
    return states.stream().filter(state -> state.name().equals(name)).findFirst();
  }

  /** A state of the same exchange that the other has in another version, if there is one. */
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
