package dev.braid.exchange;

import dev.braid.exchange.participation.Elastic;
import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

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

  /** Writes what lasts beyond a round; nothing, where nothing does. */
  public void writeState(DataOutput out) throws IOException {
    if (stateful.isPresent()) {
      stateful.get().writeState(out);
    }
  }

  /** Reads what {@link #writeState} wrote. */
  public void readState(DataInput in) throws IOException {
    if (stateful.isPresent()) {
      stateful.get().readState(in);
    }
  }

  /** The range that this rank serves, maybe an empty one, where there are servers. */
  public Optional<Range> served() {
    return serving.map(Serving::served);
  }
}
