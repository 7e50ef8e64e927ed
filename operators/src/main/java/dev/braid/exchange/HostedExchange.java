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
 * An exchange with its optional abilities, as its host (a worker or the simulator) uses it. The
 * abilities are looked up once, through all wrapping exchanges.
 *
 * @param measured the exchange's statistics; {@link Measured#NOTHING} if it reports none
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

  /** Returns an exchange with all of its abilities. */
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

  /** Returns whether ranks wait for each other. */
  public boolean isSynchronous() {
    return synchronous.isPresent();
  }

  /** Returns whether all ranks have the same model at a checkpoint. */
  public boolean replicasAgree() {
    return synchronous.map(Synchronous::replicasAgree).orElse(false);
  }

  /** Returns the exchange's serialised states by name; empty if it has none. */
  public SortedMap<String, byte[]> writeStates() throws IOException {
    SortedMap<String, byte[]> written = new TreeMap<>();
    for (LastingState state : states()) {
      if (written.put(state.kind().name(), state.toBytes()) != null) {
        throw new IllegalStateException("two states have the name " + state.kind().name());
      }
    }
    return written;
  }

  /** Restores states written by {@link #writeStates}; missing states keep their initial value. */
  public void readStates(Map<String, byte[]> written) throws IOException {
    for (LastingState state : states()) {
      byte[] bytes = written.get(state.kind().name());
      if (bytes != null) {
        state.fromBytes(bytes);
      }
    }
  }

  /** Returns the kinds of the exchange's states. */
  public List<StateKind> stateKinds() {
    return states().stream().map(LastingState::kind).toList();
  }

  private List<LastingState> states() {
    return stateful.map(Stateful::states).orElse(List.of());
  }

  /** Returns the range that this rank serves, which may be empty; none without servers. */
  public Optional<Range> served() {
    return serving.map(Serving::served);
  }
}
