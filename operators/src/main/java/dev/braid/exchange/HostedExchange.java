package dev.braid.exchange;

import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Planning;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.vector.Range;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An exchange as whoever hosts it sees it, a worker or the simulator: with what it is besides,
 * looked up once, through what wraps it.
 *
 * @param measured {@link Measured#NOTHING} of one that tells nothing of itself
 */
public record HostedExchange(
    Exchange exchange,
    Optional<Synchronous> synchronous,
    Optional<Asynchronous> asynchronous,
    Optional<Elastic> elastic,
    Optional<Serving> serving,
    Optional<Stateful> stateful,
    Optional<Planning> planning,
    Measured measured) {

  /** All that an exchange is. */
  public static HostedExchange of(Exchange exchange) {
    return new HostedExchange(
        exchange,
        exchange instanceof Synchronous synchronous ? Optional.of(synchronous) : Optional.empty(),
        exchange instanceof Asynchronous asynchronous
            ? Optional.of(asynchronous)
            : Optional.empty(),
        exchange.participation().elastic(),
        Wrapping.find(exchange, Serving.class),
        Wrapping.find(exchange, Stateful.class),
        Wrapping.find(exchange, Planning.class),
        Wrapping.find(exchange, Measured.class).orElse(Measured.NOTHING));
  }

  /** Whether ranks wait for each other. */
  public boolean isSynchronous() {
    return synchronous.isPresent();
  }

  /** Whether a checkpoint finds the same model at all ranks. */
  public boolean replicasAgree() {
    return synchronous.map(Synchronous::replicasAgree).orElse(false);
  }

  /** What lasts beyond a round, by its name; nothing, where nothing does. */
  public SortedMap<String, byte[]> writeStates() throws IOException {
    SortedMap<String, byte[]> written = new TreeMap<>();
    for (LastingState state : states()) {
      if (written.put(state.kind().name(), state.toBytes()) != null) {
        throw new IllegalStateException("two states have the name " + state.kind().name());
      }
    }
    return written;
  }

  /** Reads what {@link #writeStates} wrote; what is missing begins anew. */
  public void readStates(Map<String, byte[]> written) throws IOException {
    for (LastingState state : states()) {
      byte[] bytes = written.get(state.kind().name());
      if (bytes != null) {
        state.fromBytes(bytes);
      }
    }
  }

  /** What kinds of states it has. */
  public List<StateKind> stateKinds() {
    return states().stream().map(LastingState::kind).toList();
  }

  private List<LastingState> states() {
    return stateful.map(Stateful::states).orElse(List.of());
  }

  /** The range that this rank serves, maybe an empty one, where there are servers. */
  public Optional<Range> served() {
    return serving.map(Serving::served);
  }
}
